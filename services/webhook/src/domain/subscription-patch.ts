import { AppError } from "@canvass/errors";
import {
  joinViolations,
  shapeViolations,
  updateSubscriptionBody,
  type Violation,
  type UpdateSubscriptionBody,
} from "@canvass/inputs";
import type { JsonObject } from "@canvass/values";
import { validateUrl } from "./subscription-fields.ts";

export interface SubscriptionPatch {
  name?: string | undefined;
  /** For webhooks only, as the caller wrote it. */
  url?: string | undefined;
  eventTypes?: readonly string[] | undefined;
  /** active or paused. */
  status?: string | undefined;
}

export interface ChangeableState {
  name: string;
  mode: string;
  url: string | null;
  eventTypes: readonly string[];
  status: string;
}

export interface PatchEffects {
  renames: boolean;
  moves: boolean;
  listensToOthers: boolean;
  pauses: boolean;
  resumes: boolean;
}

export function validateSubscriptionPatch(body: JsonObject): {
  patch: SubscriptionPatch;
  url: URL | undefined;
  violations: Violation[];
} {
  const { url, violations } = validateUrl(body["url"]);
  const { name, url: urlText, event_types: eventTypes, status } = body as UpdateSubscriptionBody;
  const patch = { name, url: urlText, eventTypes, status };
  return { patch, url, violations: joinViolations(violations, shapeViolations(updateSubscriptionBody, body)) };
}

/** The mode of a subscription is fixed (contract 8.3). */
export function modeViolations({ mode }: Pick<ChangeableState, "mode">, { url }: SubscriptionPatch): Violation[] {
  if (mode === "push" || url === undefined) return [];
  return [{ path: "url", message: "must be left out: a feed has no address, and a subscription's mode never changes" }];
}

/** Returns which parts of a patch change the subscription (contract 8.5). Throws `invalid_transition`. */
export function effectsOf(state: ChangeableState, { name, url, eventTypes, status }: SubscriptionPatch): PatchEffects {
  if (status === "paused" && state.status === "disabled") {
    throw new AppError("invalid_transition", { state: state.status, allowed: ["active"] });
  }
  return {
    renames: name !== undefined && name !== state.name,
    moves: url !== undefined && url !== state.url,
    listensToOthers: eventTypes !== undefined && !hasSameItems(eventTypes, state.eventTypes),
    pauses: status === "paused" && state.status === "active",
    resumes: status === "active" && state.status !== "active",
  };
}

const hasSameItems = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item) => other.includes(item));
