import { OperationalError, reasonOf } from "@canvass/provisioning";
import { writeFile } from "node:fs/promises";
import { defineCommand } from "../define-command.ts";

export const workspaceKey = defineCommand({
  words: ["workspace", "key"],
  summary: "Create a key with which another installation encrypts a workspace for this one",
  example: "workspace key --out move.key",
  options: { out: { placeholder: "path", required: true, help: "file for the key; must not exist" } },
  async run({ out }) {
    const { generateX25519Identity, identityToRecipient } = await import("age-encryption");
    const identity = await generateX25519Identity();
    try {
      await writeFile(out, `${identity}\n`, { mode: 0o600, flag: "wx" });
    } catch (error) {
      throw new OperationalError(`The key cannot be written to ${out}: ${reasonOf(error)}.`, { cause: error });
    }
    return { key: out, recipient: await identityToRecipient(identity) };
  },
});
