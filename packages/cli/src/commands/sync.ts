import { listenForStop } from "@canvass/command-line";
import { OperationalError } from "@canvass/provisioning";
import { defineCommand } from "../define-command.ts";
import { survey } from "./options.ts";

export const sync = defineCommand({
  words: ["sync"],
  summary: "Keep a survey's answers in a local DuckDB or Parquet; run it again to update",
  example: "sync 1a2b3c4d5e6f7g8h --to lunch.duckdb",
  options: {
    survey,
    to: {
      placeholder: "path",
      required: true,
      help: "a file that ends in .duckdb, or a folder for Parquet files; created if needed",
    },
    follow: { help: "keep following new answers, until Ctrl-C" },
  },
  async run({ survey, to, follow }, session) {
    // Imported here, because DuckDB is large.
    const { syncUntil } = await import("../sync/sync-until.ts");
    using stop = listenForStop();
    const wish = { surveyId: survey, to, follow: follow === true };
    const outcome = await syncUntil(stop.signal, session, wish).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
      return { to, surveyId: survey, stopped: true };
    });
    // A script would take the incomplete copy for a complete one.
    if (outcome.stopped && !wish.follow)
      throw new OperationalError(`${to} may lack answers, since this was stopped. Run it again: it goes on.`);
    return outcome;
  },
});
