import { showImport } from "../answers/show-import.ts";
import { defineCommand } from "../define-command.ts";

export const importsShow = defineCommand({
  words: ["imports", "show"],
  summary: "Show an import of answers, running or ended; exits with code 1 if rows were refused",
  example: "imports show 1a2b3c4d5e6f7g8h --wait",
  options: {
    import: { placeholder: "import", positional: true, required: true, help: "the import's id" },
    wait: { help: "wait until it has ended" },
  },
  async run({ import: id, wait }, { canvass, progress, note }) {
    const { responses } = await canvass();
    const found = await responses.getImport(id);
    if (!wait) return { ...found };
    const { waitForImport } = await import("../answers/wait-for-import.ts");
    return { ...(await waitForImport(found, { progress, note })) };
  },
  show: showImport,
  isRefused: ({ failed, status }) => (failed as number) > 0 || status === "failed",
});
