import { showProperties } from "@canvass/command-line";
import { OperationalError, reasonOf } from "@canvass/provisioning";
import { readFile } from "node:fs/promises";
import { defineCommand } from "../define-command.ts";
import type { Imported } from "../transfer/import-workspace.ts";
import { serviceOptions } from "../transfer/moving-services.ts";

export const workspaceImport = defineCommand({
  words: ["workspace", "import"],
  summary: "Import a workspace from the file of another installation; run it again to resume",
  example: "workspace import --file acme.age --key move.key",
  options: {
    file: { placeholder: "path", required: true, help: "the file that the other installation exported" },
    key: { placeholder: "path", required: true, help: 'the key that "canvass workspace key" made here' },
    ...serviceOptions,
  },
  async run({ file, key }, session): Promise<Imported> {
    await session.connectTransfers("token");
    const identity = await readKey(key);
    const { importWorkspace } = await import("../transfer/import-workspace.ts");
    return importWorkspace(session, { path: file, identity });
  },
  show: (result) => {
    const { taken, takenBefore, ...rest } = result as Imported;
    return showProperties({
      ...rest,
      taken: taken.join(", ") || "nothing",
      "taken before": takenBefore.join(", ") || undefined,
    });
  },
});

async function readKey(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    throw new OperationalError(`The key cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}
