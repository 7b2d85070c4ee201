import type { DescService } from "@bufbuild/protobuf";
import { newEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";
import type { RpcClient } from "@canvass/rpc";
import { shownLink, type Change, type LinkState } from "./link-double.ts";
import { surveyId, workspaceId } from "./questions.ts";
import { collectionOf, type SurveyState } from "./survey-double.ts";

type HandOver = (events: Event[], consumer: string) => Promise<string[]>;

export function collectingEvent(change: Change, workspace: string = workspaceId): Event {
  const source = change.case === "survey" ? "survey" : "distribution";
  const body = { case: "collectingChanged" as const, value: { change } };
  return newEvent({ workspaceId: workspace, occurredAt: new Date(), source, body });
}

/**
 * Returns a function that delivers, as events, what the test has changed in the survey, links and contacts since the
 * last call. The real owners send these events before they respond to a change.
 */
export function createPush(survey: SurveyState, links: LinkState, handOver: HandOver): () => Promise<void> {
  let pushed = 0n;
  let running = Promise.resolve();

  function takeChanges(): Event[] {
    const events = links.changes.splice(0).map((change) => collectingEvent(change));
    const collection = collectionOf(survey);
    // Surveys are never deleted, so one that is not found never had a state to send.
    if (collection.found && collection.revision > pushed && survey.isPushed && !survey.isOld) {
      events.push(collectingEvent({ case: "survey", value: { surveyId, collection } }));
      for (const other of survey.others) {
        const value = { surveyId: other, collection: { ...collection, versionId: other } };
        events.push(collectingEvent({ case: "survey", value }));
      }
    }
    pushed = collection.revision;
    for (const code of links.changed) {
      const link = shownLink(links, code);
      if (link.found) events.push(collectingEvent({ case: "link", value: link }, link.workspaceId));
    }
    links.changed.clear();
    return events;
  }

  async function push(): Promise<void> {
    const events = takeChanges();
    if (events.length > 0) await handOver(events, "collecting");
  }

  // Concurrent calls run one after the other.
  return () => (running = running.then(push, push));
}

/** A client that pushes changes before each call. */
export function pushingFirst<Service extends DescService>(
  service: Service,
  client: RpcClient<Service>,
  push: () => Promise<void>,
): RpcClient<Service> {
  return new Proxy(client, {
    get(target, name, receiver) {
      const call: unknown = Reflect.get(target, name, receiver);
      const method = service.methods.find(({ localName }) => localName === name);
      if (typeof call !== "function" || !method) return call;
      if (method.methodKind !== "server_streaming") {
        return async (...words: unknown[]) => {
          await push();
          return call.apply(target, words) as unknown;
        };
      }
      return async function* streamed(...words: unknown[]) {
        await push();
        yield* call.apply(target, words) as AsyncIterable<unknown>;
      };
    },
  });
}
