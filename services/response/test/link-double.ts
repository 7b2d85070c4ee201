import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { ContactService } from "@canvass/proto/distribution-contacts";
import { LinkService, type LinkRef, type LinkSchema } from "@canvass/proto/distribution-links";
import type { CollectingChangedSchema } from "@canvass/proto/events";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RpcServer } from "@canvass/rpc";
import { startDouble } from "@canvass/service/testing";
import { surveyId, testId, workspaceId } from "./questions.ts";

type Link = MessageInitShape<typeof LinkSchema>;
export type Change = NonNullable<MessageInitShape<typeof CollectingChangedSchema>["change"]>;

/** Links and contacts of the distribution service. Tests change them freely. */
export interface LinkState {
  /** Keyed by code. A distributor's own link has the distributor's id as its code. */
  links: Map<string, Link>;
  /** Keyed by distributor id. */
  passwords: Map<string, string>;
  /** Status by contact id; empty means that the contact does not exist. Contacts that are not listed are active. */
  contacts: Map<string, string>;
  /** Field values of the one workspace's contacts, by contact id and field. */
  contactValues: Map<string, Record<string, string>>;
  /** Whether requests about contacts fail. */
  contactsAway: boolean;
  /** Number of requests about contacts. */
  contactsAsked: number;
  /** Keyed by distributor. Grows with every change by a test. */
  revisions: Map<string, bigint>;
  /** Links changed since the last push. */
  changed: Set<string>;
  /** Other changes, each pushed once. */
  changes: Change[];
  /** Number of requests about links, and the promise that their responses wait for. */
  asked: number;
  hangs: Promise<void> | undefined;
}

export function linkState(): LinkState {
  return {
    links: new Map(),
    passwords: new Map(),
    contacts: new Map(),
    contactValues: new Map(),
    contactsAway: false,
    contactsAsked: 0,
    asked: 0,
    hangs: undefined,
    revisions: new Map(),
    changed: new Set(),
    changes: [],
  };
}

/** The code of the link with this name. */
export const testCode = (name: string): string => name.padEnd(22, "0");

/** Adds an active link of the one survey. Pass a `linkId` for a personal link. Returns its code. */
export function addLink(state: LinkState, name: string, fields: Partial<Link> = {}): string {
  const code = testCode(name);
  const link = { workspaceId, surveyId, distributorId: testId("distributor"), type: "link", status: "active" };
  const added = { found: true, ...link, timeZone: "Europe/Berlin", ...fields } as Link;
  state.links.set(code, added);
  state.revisions.set(added.distributorId!, (state.revisions.get(added.distributorId!) ?? 0n) + 1n);
  state.changed.add(code);
  return code;
}

/** Deletes the distributor of a link. */
export function deleteLink(state: LinkState, code: string): void {
  const { workspaceId: workspace, surveyId: survey, distributorId } = state.links.get(code)!;
  state.links.delete(code);
  const value = { found: false, workspaceId: workspace!, surveyId: survey!, distributorId: distributorId! };
  state.changes.push({ case: "link", value });
}

/** Anonymizes or deletes a contact, and deletes its personal links. */
export function dropContact(state: LinkState, contactId: string, status: "anonymized" | "deleted"): void {
  for (const [code, link] of state.links) if (link.contactId === contactId) state.links.delete(code);
  state.contacts.set(contactId, status === "deleted" ? "" : status);
  state.changes.push({ case: "contacts", value: { contactIds: [contactId], status } });
}

/** A link as the distribution service returns it. */
export function shownLink(state: LinkState, code: string): Link {
  const link = state.links.get(code);
  if (!link) return { found: false };
  return { ...link, revision: state.revisions.get(link.distributorId!)!, code: link.linkId ? "" : code };
}

export const timestampAt = (text: string) => timestampFromDate(new Date(text));

/** Starts an in-memory distribution service. */
export function startLinkDouble(state: LinkState): Promise<RpcServer> {
  const find = ({ by }: LinkRef): Link => {
    if (by.case === "code") return shownLink(state, by.value);
    const entries = [...state.links];
    if (by.case === "issuedLink") {
      const issued = entries.find(([, { linkId }]) => linkId === by.value.linkId);
      return issued ? shownLink(state, issued[0]) : { found: false };
    }
    const { workspaceId: workspace, distributorId } = by.value!;
    const entry = entries.find(([, each]) => each.workspaceId === workspace && each.distributorId === distributorId);
    return entry ? { ...shownLink(state, entry[0]), linkId: "", contactId: "" } : { found: false };
  };
  return startDouble((router) => {
    router.service(LinkService, {
      batchGetLinks: async ({ links }) => {
        state.asked += 1;
        await state.hangs;
        return { links: links.map(find) };
      },
      checkLinkPassword: async ({ distributorId, password }) => ({
        matches: state.passwords.get(distributorId) === password,
      }),
    });
    router.service(ContactService, {
      batchFindContacts: async ({ contacts, fields }) => {
        state.contactsAsked += 1;
        if (state.contactsAway) throw new AppError("service_unavailable");
        return {
          contacts: contacts.map(({ workspaceId: workspace, contactId }) => {
            const status = state.contacts.get(contactId) ?? "active";
            if (status === "") return { found: false };
            const held = workspace === workspaceId && status !== "anonymized" && state.contactValues.get(contactId);
            return { found: true, status, values: fields.map((field) => (held && held[field]) || "") };
          }),
        };
      },
    });
  });
}
