import { urlViolation, UsageError } from "@canvass/command-line";
import { OperationalError } from "@canvass/provisioning";
import { defineCommand } from "../define-command.ts";
import { tokenKind } from "../profiles/token-kind.ts";

const eventTypes = ["response.completed"] as const;

export const trigger = defineCommand({
  words: ["trigger"],
  summary: "Trigger an event: complete a response, or send an event of the feed to this machine again",
  example: "trigger response.completed",
  options: {
    type: {
      placeholder: "event",
      positional: true,
      required: true,
      help: eventTypes.join(", "),
      choices: eventTypes,
      violation: (text) =>
        eventTypes.some((type) => type === text) ? undefined : `is one of ${eventTypes.join(", ")}`,
    },
    survey: {
      placeholder: "id",
      help: "complete this survey (default: one named `canvass trigger`, created if needed)",
    },
    event: { placeholder: "id", help: "send this event again, with the same webhook-id" },
    forward: {
      placeholder: "url",
      help: "destination, signed with the secret of `canvass listen --forward`",
      violation: urlViolation,
    },
  },
  async run({ survey, event: eventId, forward }, { env, profile, access, canvass }) {
    if ((eventId === undefined) !== (forward === undefined)) {
      throw new UsageError("--event and --forward belong together: which event, and where to.");
    }
    if (eventId !== undefined && survey !== undefined) throw new UsageError("Give either --survey or --event.");
    const [{ url, token }, client] = [await access(), await canvass()];
    if (eventId === undefined) {
      if (tokenKind(token) === "test") {
        throw new OperationalError(
          "Completions by a test token make no events; log in with a live token: canvass login",
        );
      }
      const { completeResponse } = await import("../trigger/complete-response.ts");
      return completeResponse(client, survey);
    }
    const [{ findEvent }, { forwardEvent, isSuccess }, { readState, writeState }] = await Promise.all([
      import("../trigger/find-event.ts"),
      import("../listen/forward-event.ts"),
      import("../listen/listener-state.ts"),
    ]);
    const found = await findEvent(client, eventId);
    const state = await readState(env, { url, profile, forward: forward! });
    // A new secret is kept, so that the listener has the same.
    if (state.subscriptionId === null) await writeState(env, state);
    const attempt = await forwardEvent(found, forward!, state.secret);
    const { status = null, reason = null, milliseconds } = attempt;
    return { eventId, forward, delivered: isSuccess(attempt), status, reason, milliseconds };
  },
  isRefused: ({ delivered }) => delivered === false,
});
