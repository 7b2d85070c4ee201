import { listenForStop } from "@canvass/command-line";
import { defineCommand } from "../define-command.ts";
import { survey } from "./options.ts";

export const sync = defineCommand({
  words: ["sync"],
  summary: "Keep a survey's answers in a local DuckDB; run again, it goes on",
  example: "sync 1a2b3c4d5e6f7g8h --to ./lunch.duckdb",
  options: {
    survey,
    to: {
      placeholder: "file",
      required: true,
      help: "the database, made if needed; its name ends in .duckdb",
      fault: (path) => (path.endsWith(".duckdb") ? undefined : "does not end in .duckdb"),
    },
    follow: { help: "go on with what happens, until Ctrl-C" },
  },
  async run({ survey, to, follow }, session) {
    // Imported here, because DuckDB is large.
    const { syncUntil } = await import("../sync/sync-until.ts");
    using stop = listenForStop();
    const wish = { surveyId: survey, path: to, follow: follow === true };
    return await syncUntil(stop.signal, session, wish).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
      return { file: to, surveyId: survey, stopped: true };
    });
  },
});
