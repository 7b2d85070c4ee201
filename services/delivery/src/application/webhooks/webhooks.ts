import { filterByPlan, type Evaluated, type LearnPlans } from "@canvass/plan-history";
import { createSecretBox } from "@canvass/webhook-sender";
import type { DeliveryShell } from "../../context.ts";
import type { Webhook } from "../../domain/webhook.ts";
import type { EndpointRef } from "../../storage/claimed-delivery.ts";
import { findListeningWebhooks, type Occurrence } from "../../storage/listening-intervals.ts";
import { findWebhooks, type SealedWebhook } from "../../storage/webhooks.ts";
import type { LearnWebhooks } from "./learn-webhooks.ts";

/** Webhooks as their owner pushed them. A workspace that is not known is asked for. */
export interface Webhooks {
  /** In order. Undefined: not known while another service is unavailable. */
  find(refs: readonly EndpointRef[]): Promise<(Webhook | undefined)[]>;
  /** For each occurrence in order, the webhooks that listened at its time. Undefined as in `find`. */
  match(occurrences: readonly Occurrence[]): Promise<(Webhook[] | undefined)[]>;
  open(webhook: SealedWebhook): Webhook;
}

export interface WebhooksOptions extends Pick<DeliveryShell, "database" | "log" | "now"> {
  secretsKey: string;
  learnWebhooks: LearnWebhooks;
  learnPlans: LearnPlans;
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { database, log, now, secretsKey, learnWebhooks, learnPlans } = options;
  const box = createSecretBox(secretsKey);
  const { sql } = database.hot;

  const opens = (sealed: Uint8Array, webhook: SealedWebhook): string[] => {
    if (sealed.length === 0) return [];
    try {
      return [box.open(sealed, webhook)];
    } catch (err) {
      const { workspaceId, subscriptionId } = webhook;
      log.warn({ err, workspaceId, subscriptionId }, "a signing secret cannot be opened");
      return [];
    }
  };

  function open({ sealedSecret, sealedFormerSecret, formerUntil, ...webhook }: SealedWebhook): Webhook {
    const sealed = { ...webhook, sealedSecret, sealedFormerSecret, formerUntil };
    const isFormerGood = formerUntil !== null && formerUntil > now();
    const former = isFormerGood ? opens(sealedFormerSecret, sealed) : [];
    return { ...webhook, secrets: [...opens(sealedSecret, sealed), ...former] };
  }

  /** Reads by `read`. Asks for workspaces that are not known, or whose secrets cannot be opened, and reads again. */
  async function known<Item extends { workspaceId: string }, Found>(
    items: readonly Item[],
    read: (items: readonly Item[]) => Promise<Known<Found>[]>,
  ): Promise<Evaluated<Found | undefined>[]> {
    const found = await read(items);
    const needed = items.filter((_, index) => !found[index]!.isKnown || found[index]!.isLocked);
    if (needed.length === 0) return found;
    await Promise.all([...new Set(needed.map(({ workspaceId }) => workspaceId))].map(learnWebhooks));
    const again = await read(items);
    return again.map((one) => (one.isKnown ? one : { found: undefined, isWithheld: false }));
  }

  async function read(refs: readonly EndpointRef[]): Promise<Known<Webhook>[]> {
    const found = await findWebhooks(sql, refs);
    return found.map(({ isKnown, webhook: sealed }, index) => {
      const webhook = sealed ? open(sealed) : deletedWebhook(refs[index]!);
      const isThere = webhook.status !== "deleted";
      return { isKnown, isLocked: isLocked(webhook), found: webhook, isWithheld: isThere && !webhook.hasWebhooks };
    });
  }

  async function readListening(occurrences: readonly Occurrence[]): Promise<Known<Webhook[]>[]> {
    const found = await findListeningWebhooks(sql, occurrences);
    const each = new Map<string, Webhook>();
    const openOnce = (webhook: SealedWebhook): Webhook => {
      const known = each.get(keyOf(webhook)) ?? open(webhook);
      each.set(keyOf(webhook), known);
      return known;
    };
    return found.map(({ isKnown, webhooks, isWithheld }) => {
      const opened = webhooks.map(openOnce);
      return { isKnown, isLocked: opened.some(isLocked), found: opened, isWithheld };
    });
  }

  return {
    open,
    find: (refs) => filterByPlan(learnPlans, refs, (some) => known(some, read)),
    match: (occurrences) => filterByPlan(learnPlans, occurrences, (some) => known(some, readListening)),
  };
}

interface Known<Found> extends Evaluated<Found> {
  isKnown: boolean;
  /** A secret was sealed with a key that is gone. */
  isLocked: boolean;
}

const isLocked = ({ status, secrets }: Webhook) => status !== "deleted" && secrets.length === 0;

const keyOf = ({ workspaceId, subscriptionId }: EndpointRef) => `${workspaceId} ${subscriptionId}`;

/** A known workspace without it: it was deleted long ago. */
function deletedWebhook({ workspaceId, subscriptionId }: EndpointRef): Webhook {
  const nothing = { revision: 0, statusReason: "", url: "", secrets: [], destinationRevision: 0 };
  return { workspaceId, subscriptionId, status: "deleted", ...nothing, activeSince: new Date(0), hasWebhooks: true };
}
