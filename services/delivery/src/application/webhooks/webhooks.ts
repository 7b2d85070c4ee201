import { evaluateWithPlans, type Evaluated, type FetchPlanChanges } from "@canvass/plan-history";
import { createSecretBox } from "@canvass/webhook-sender";
import type { DeliveryShell } from "../../context.ts";
import type { Webhook } from "../../domain/webhook.ts";
import { endpointKey, type EndpointRef } from "../../storage/claimed-delivery.ts";
import { findListeningWebhooks, type Occurrence } from "../../storage/listening-intervals.ts";
import { findWebhooks, type SealedWebhook } from "../../storage/webhooks.ts";
import type { RefreshWebhooks } from "./refresh-webhooks.ts";

/**
 * `stored`: reads what other services pushed; undefined where one of them must be asked. `asked`: asks them; undefined
 * where one is unavailable. Read many workspaces by `stored` first, so that none waits for what another asks for.
 */
export type Source = "stored" | "asked";

/** Webhooks as their owner pushed them. */
export interface Webhooks {
  /** In the order of `refs`. A webhook that does not exist is returned as deleted. */
  find(refs: readonly EndpointRef[], source: Source): Promise<(Webhook | undefined)[]>;
  /** For each occurrence in order, the webhooks that listened at its time. */
  match(occurrences: readonly Occurrence[], source: Source): Promise<(Webhook[] | undefined)[]>;
  /** Opens the secrets, without those that cannot be opened or have expired. */
  open(webhook: SealedWebhook): Webhook;
}

export interface WebhooksOptions extends Pick<DeliveryShell, "database" | "log" | "now"> {
  secretsKey: string;
  refreshWebhooks: RefreshWebhooks;
  fetchPlanChanges: FetchPlanChanges;
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { database, log, now, secretsKey, refreshWebhooks, fetchPlanChanges } = options;
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
    read: Read<Item, Found>,
  ): Promise<Evaluated<Found | undefined>[]> {
    const found = await read(items);
    const needed = items.filter((_, index) => !found[index]!.isKnown || found[index]!.isUndecryptable);
    if (needed.length === 0) return found;
    await Promise.all([...new Set(needed.map(({ workspaceId }) => workspaceId))].map(refreshWebhooks));
    const again = await read(items);
    return again.map((one) => (one.isKnown ? one : { found: undefined, isWithheld: false }));
  }

  function asked<Item extends { workspaceId: string }, Found>(items: readonly Item[], by: Read<Item, Found>) {
    return evaluateWithPlans(fetchPlanChanges, items, (some) => known(some, by));
  }

  async function read(refs: readonly EndpointRef[]): Promise<Known<Webhook>[]> {
    const found = await findWebhooks(sql, refs);
    return found.map(({ isKnown, webhook: sealed }, index) => {
      const webhook = sealed ? open(sealed) : deletedWebhook(refs[index]!);
      const isThere = webhook.status !== "deleted";
      return {
        isKnown,
        isUndecryptable: isUndecryptable(webhook),
        found: webhook,
        isWithheld: isThere && !webhook.hasWebhooks,
      };
    });
  }

  async function readListening(occurrences: readonly Occurrence[]): Promise<Known<Webhook[]>[]> {
    const found = await findListeningWebhooks(sql, occurrences);
    const each = new Map<string, Webhook>();
    const openOnce = (webhook: SealedWebhook): Webhook => {
      const known = each.get(endpointKey(webhook)) ?? open(webhook);
      each.set(endpointKey(webhook), known);
      return known;
    };
    return found.map(({ isKnown, webhooks, isWithheld }) => {
      const opened = webhooks.map(openOnce);
      return { isKnown, isUndecryptable: opened.some(isUndecryptable), found: opened, isWithheld };
    });
  }

  return {
    open,
    find: (refs, source) => (source === "stored" ? decided(refs, read) : asked(refs, read)),
    match: (occurrences, source) =>
      source === "stored" ? decided(occurrences, readListening) : asked(occurrences, readListening),
  };
}

type Read<Item, Found> = (items: readonly Item[]) => Promise<Known<Found>[]>;

interface Known<Found> extends Evaluated<Found> {
  isKnown: boolean;
  /** A webhook that is not deleted has no secret that opens. */
  isUndecryptable: boolean;
}

async function decided<Item, Found>(items: readonly Item[], read: Read<Item, Found>): Promise<(Found | undefined)[]> {
  const found = await read(items);
  return found.map((one) => (one.isKnown && !one.isUndecryptable && !one.isWithheld ? one.found : undefined));
}

const isUndecryptable = ({ status, secrets }: Webhook) => status !== "deleted" && secrets.length === 0;

/** Stands for a webhook that has no row: it was deleted long ago, if the workspace is known. */
function deletedWebhook({ workspaceId, subscriptionId }: EndpointRef): Webhook {
  const nothing = { revision: 0, statusReason: "", url: "", secrets: [], destinationRevision: 0 };
  return { workspaceId, subscriptionId, status: "deleted", ...nothing, activeSince: new Date(0), hasWebhooks: true };
}
