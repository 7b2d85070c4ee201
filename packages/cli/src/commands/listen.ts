import { urlViolation, jsonLine, listenForStop, showProperties, splitList, UsageError } from "@canvass/command-line";
import type { Api } from "@canvass/sdk";
import { defineCommand } from "../define-command.ts";
import { parseStart } from "../listen/find-start.ts";

const eventTypes: readonly Api.FeedEvent["type"][] = ["response.completed"];

export const listen = defineCommand({
  words: ["listen"],
  summary: "Receive webhooks on this machine: forward new events of the feed, signed",
  example: "listen --forward http://localhost:3000/hook",
  options: {
    forward: { placeholder: "url", help: "where to send the events", violation: urlViolation },
    events: { placeholder: "a,b", help: `only these, of ${eventTypes.join(", ")}`, violation: typesViolation },
    since: {
      placeholder: "when",
      help: "start at this time instead of where the last run ended: 2h, 30m, 1d, a date-time, or all (30 days)",
      violation: (text) =>
        parseStart(text) === undefined ? "is a time such as 2h, 30m, 1d, 2026-11-26T08:00Z or all" : undefined,
    },
    printJson: { help: "print each event as a line of JSON, and everything else to standard error" },
    forget: { help: "delete the feed subscription, secrets and cursors of this login, and exit" },
  },
  async run({ forward, events, since, printJson, forget }, session) {
    const { env, profile, access, canvass, json, print, note } = session;
    if (forget) {
      const { forgetListeners } = await import("../listen/forget-listeners.ts");
      return forgetListeners(env, await canvass(), { url: (await access()).url, profile });
    }
    if (forward === undefined && !printJson) {
      throw new UsageError("Give --forward, --print-json or both; see canvass listen --help.");
    }
    const { listenUntil } = await import("../listen/listen-until.ts");
    using stop = listenForStop();
    const counts = await listenUntil(stop.signal, session, {
      forward,
      types: events === undefined ? undefined : new Set(splitList(events)),
      since: since === undefined ? undefined : parseStart(since),
      say: json || printJson ? note : print,
      onEvent: (event) => void (printJson && print(jsonLine(event))),
    });
    return { ...counts, stopped: true };
  },
  show: ({ stopped, ...rest }) => (stopped ? "" : showProperties(rest)),
});

function typesViolation(text: string): string | undefined {
  const unknown = splitList(text).filter((type) => !eventTypes.some((known) => known === type));
  return unknown.length > 0 ? `names events of ${eventTypes.join(", ")}` : undefined;
}
