import { isLinkCode } from "@canvass/access";
import { lruOptions, createBatcher } from "@canvass/fairness";
import { mostBatchItems } from "@canvass/inputs";
import type { Database, Sql } from "@canvass/postgres";
import { LinkService, type Link as LinkMessage, type LinkRef } from "@canvass/proto/distribution-links";
import { type RpcClient } from "@canvass/rpc";
import { LRUCache } from "lru-cache";
import { isDeepStrictEqual } from "node:util";
import { createCachedStates, unpushedRevision } from "../collecting/cached-states.ts";
import { storeStates } from "../collecting/store-states.ts";
import { linkFromMessage } from "../collecting/states-from-messages.ts";
import type { DistributorRef, Link, OpenedLink } from "../../domain/links/link.ts";
import { surveyLock } from "../../storage/advisory-locks.ts";
import {
  findCollectingLinks,
  findLinksByCode,
  collectingLinkStatement,
  endedHoldStatement,
} from "../../storage/collecting/collecting-links.ts";
import { findGoneContacts } from "../../storage/collecting/gone-contacts.ts";

export interface LinkDirectory {
  byCode(code: string): Promise<OpenedLink>;
  byDistributor(ref: DistributorRef): Promise<Link>;
  /** Returns the link of a session. A personal link exists as long as its contact. */
  bySession(session: LinkPlace): Promise<Link>;
  /** Returns the contact of a session's personal link. Empty if it has none, undefined if there is no such link. */
  contactOf(session: LinkPlace): Promise<string | undefined>;
  isKnown(ref: DistributorRef): boolean;
  ofRevisions(sql: Sql, refs: readonly (DistributorRef & { revision: string })[]): Promise<Link[]>;
  isAheadOfOwner(pushed: Link): Promise<boolean>;
  verifyPassword(ref: DistributorRef, password: string): Promise<boolean>;
}

const timeoutMs = 3_000;

export interface LinkPlace extends DistributorRef {
  /** Empty for the distributor's own link. */
  linkId: string;
}

const absent: OpenedLink = {
  workspaceId: "",
  surveyId: "",
  distributorId: "",
  code: "",
  revision: unpushedRevision,
  found: false,
  isHeld: false,
  type: "",
  status: "",
  opensAt: null,
  closesAt: null,
  responseLimit: null,
  hasPassword: false,
  timeZone: "UTC",
  linkId: "",
  contactId: "",
  language: "",
};

export function createLinkDirectory(
  client: RpcClient<typeof LinkService>,
  { pool, hot }: Pick<Database<unknown>, "pool" | "hot">,
): LinkDirectory {
  // A personal link never changes its contact.
  const contacts = new LRUCache<string, string>(lruOptions(50_000));

  const fetchLink = createBatcher<LinkRef["by"], LinkMessage>({
    maxSize: mostBatchItems,
    maxInFlight: 2,
    send: async (asked) => {
      const { links } = await client.batchGetLinks({ links: asked.map((by) => ({ by })) }, { timeoutMs });
      for (const link of links) if (link.linkId !== "") contacts.set(placeKey(link), link.contactId);
      return links;
    },
  });

  const states = createCachedStates<DistributorRef, Link>({
    keyOf,
    sql: hot.sql,
    find: findCollectingLinks,
    fetchStates: async (refs) => {
      const links = await Promise.all(refs.map((ref) => fetchLink(byDistributor(ref))));
      return links.map((link) => (link.found ? linkFromMessage(link) : undefined));
    },
    haveSameEffect: (one, other) => isDeepStrictEqual(decidingParts(one), decidingParts(other)),
    store: (link) => {
      const statements = [collectingLinkStatement(link), endedHoldStatement(link)];
      return storeStates(pool, [{ locks: [surveyLock(link)], statements }]);
    },
  });

  const findByCode = createBatcher<string, Link | undefined>({
    maxSize: mostBatchItems,
    maxInFlight: 2,
    send: async (asked) => {
      const found = new Map((await findLinksByCode(hot.sql, [...new Set(asked)])).map((link) => [link.code, link]));
      return asked.map((code) => found.get(code));
    },
  });

  async function byCode(code: string): Promise<OpenedLink> {
    if (!isLinkCode(code)) return absent;
    const stored = await findByCode(code);
    if (stored) return { ...stored, linkId: "", contactId: "", language: "" };
    const message = await fetchLink({ case: "code", value: code });
    if (!message.found) return absent;
    const { linkId, contactId, language, workspaceId, type } = message;
    if (contactId !== "" && (await isContactGone(workspaceId, contactId))) return absent;
    return { ...(await states.storeIfNewer(linkFromMessage(message))), type, linkId, contactId, language };
  }

  async function isContactGone(workspaceId: string, contactId: string): Promise<boolean> {
    return (await findGoneContacts(hot.sql, [{ workspaceId, contactId }])).length > 0;
  }

  async function contactOf({ workspaceId, distributorId, linkId }: LinkPlace): Promise<string | undefined> {
    const place = { workspaceId, distributorId, linkId };
    if (linkId === "") return "";
    const known = contacts.get(placeKey(place));
    if (known !== undefined) return known;
    const message = await fetchLink({ case: "issuedLink", value: place } as LinkRef["by"]);
    return message.found ? message.contactId : undefined;
  }

  async function byDistributorRef({ workspaceId, distributorId }: DistributorRef): Promise<Link> {
    return (await states.find({ workspaceId, distributorId })) ?? absent;
  }

  return {
    byCode,
    byDistributor: byDistributorRef,
    async bySession(session) {
      const contactId = await contactOf(session);
      if (contactId === undefined) return absent;
      if (contactId !== "" && (await isContactGone(session.workspaceId, contactId))) return absent;
      return byDistributorRef(session);
    },
    contactOf,
    isKnown: (ref) => states.isStored(ref),
    ofRevisions: (sql, refs) => states.ofRevisions(sql, refs),
    isAheadOfOwner: (pushed) => states.isAheadOfOwner(pushed),
    verifyPassword: async ({ workspaceId, distributorId }, password) =>
      (await client.checkLinkPassword({ workspaceId, distributorId, password }, { timeoutMs })).matches,
  };
}

function decidingParts({ status, opensAt, closesAt, responseLimit, hasPassword }: Link) {
  return { status, opensAt, closesAt, responseLimit, hasPassword };
}

function byDistributor({ workspaceId, distributorId }: DistributorRef): LinkRef["by"] {
  return { case: "distributor", value: { workspaceId, distributorId } } as LinkRef["by"];
}

const keyOf = ({ workspaceId, distributorId }: DistributorRef) => `${workspaceId} ${distributorId}`;
const placeKey = (place: LinkPlace) => `${keyOf(place)} ${place.linkId}`;
