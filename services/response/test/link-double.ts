import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ContactService } from "@canvass/proto/distribution-contacts";
import { LinkService, type LinkRef, type LinkSchema } from "@canvass/proto/distribution-links";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RpcServer } from "@canvass/rpc";
import { startDouble } from "@canvass/service/testing";
import { surveyId, testId, workspaceId } from "./questions.ts";

type Link = MessageInitShape<typeof LinkSchema>;

/** What the distribution service tells of links and contacts; tests change it at will. */
export interface LinkState {
  /** By code; the code of a distributor's own link is its id. */
  links: Map<string, Link>;
  /** By distributor id. */
  passwords: Map<string, string>;
  /** Status by contact id; empty: there is none. Others are active. */
  contacts: Map<string, string>;
  /** Questions about contacts so far. */
  contactsAsked: number;
  /** Questions about links so far, and what their answers wait for. */
  asked: number;
  hangs: Promise<void> | undefined;
  leaseMs: number;
}

export function linkState(): LinkState {
  return {
    links: new Map(),
    passwords: new Map(),
    contacts: new Map(),
    contactsAsked: 0,
    asked: 0,
    hangs: undefined,
    leaseMs: 0,
  };
}

/** An active link of the one survey, with an id of its own when it is for one person. */
export function addLink(state: LinkState, code: string, fields: Partial<Link> = {}): string {
  const link = { workspaceId, surveyId, distributorId: testId("distributor"), type: "link", status: "active" };
  state.links.set(code, { found: true, ...link, timeZone: "Europe/Berlin", ...fields } as Link);
  return code;
}

export const at = (text: string) => timestampFromDate(new Date(text));

/** A distribution service that answers from memory. */
export function startLinkDouble(state: LinkState): Promise<RpcServer> {
  const find = ({ by }: LinkRef): Link => {
    if (by.case === "code") return state.links.get(by.value) ?? { found: false };
    if (by.case === "issuedLink") {
      return [...state.links.values()].find(({ linkId }) => linkId === by.value.linkId) ?? { found: false };
    }
    const { workspaceId: workspace, distributorId } = by.value!;
    const link = [...state.links.values()].find(
      (each) => each.workspaceId === workspace && each.distributorId === distributorId,
    );
    return link ? { ...link, linkId: "", contactId: "" } : { found: false };
  };
  return startDouble((router) => {
    router.service(LinkService, {
      batchGetLinks: async ({ links }) => {
        state.asked += 1;
        await state.hangs;
        return { links: links.map(find), leaseMs: state.leaseMs };
      },
      checkLinkPassword: async ({ distributorId, password }) => ({
        matches: state.passwords.get(distributorId) === password,
      }),
    });
    router.service(ContactService, {
      batchFindContacts: async ({ contacts }) => {
        state.contactsAsked += 1;
        const statuses = contacts.map(({ contactId }) => state.contacts.get(contactId) ?? "active");
        return { contacts: statuses.map((status) => ({ found: status !== "", status })) };
      },
    });
  });
}
