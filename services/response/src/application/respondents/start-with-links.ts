import { AppError } from "@canvass/errors";
import type { Sql } from "@canvass/postgres";
import { notCollecting } from "../../domain/collecting.ts";
import { recordedTime } from "../../domain/respondents/recorded-time.ts";
import { isOpen } from "../../domain/respondents/respondent-state.ts";
import { startsAgain } from "../../domain/links/starts-again.ts";
import {
  findLinkUses,
  insertLinkUses,
  lockLinkUses,
  replaceLinkUses,
  type LinkKey,
  type LinkUse,
  type UsedLink,
} from "../../storage/links/used-links.ts";
import { findRespondentRows } from "../../storage/respondents/respondents.ts";
import type { WantedStart } from "./start-store.ts";

export type ExistingRespondent = Awaited<ReturnType<typeof findRespondentRows>>[number];

type Outcome = ExistingRespondent | AppError | undefined;

/** Claims links for one person. Returns per start: undefined if new, else the respondent to continue, or an error. */
export async function startWithLinks(sql: Sql, starts: readonly (WantedStart | undefined)[]): Promise<Outcome[]> {
  const first = new Map<string, WantedStart>();
  for (const start of starts) {
    if (start?.permitted.link?.linkId && !first.has(nameOf(start))) first.set(nameOf(start), start);
  }
  if (first.size === 0) return [];
  const won = new Set((await insertLinkUses(sql, [...first.values()].map(toUse))).map(keyName));
  const lost = new Map([...first].filter(([name]) => !won.has(name)));
  const uses = lost.size === 0 ? [] : await findLinkUses(sql, [...lost.values()].map(keyOf));
  const replaceable = uses.filter((use) => isReplaceable(use, lost));
  for (const name of await replace(sql, replaceable, lost)) won.add(name);
  const earlier = await findEarlier(
    sql,
    uses.filter((use) => !replaceable.includes(use)),
  );
  return starts.map((start): Outcome => {
    if (!start?.permitted.link?.linkId) return undefined;
    const name = nameOf(start);
    const winner = first.get(name);
    if (winner === start && won.has(name)) return undefined;
    const existing = won.has(name) ? linked(winner!) : earlier.get(name);
    const goesOn = start.permitted.link.isPersonal && existing && isOpen(existing);
    return goesOn ? existing : notCollecting("link_used");
  });
}

type Starts = ReadonlyMap<string, WantedStart>;

function isReplaceable(use: UsedLink, starts: Starts): boolean {
  return startsAgain(use, starts.get(keyName(use))!.permitted.start.privacy);
}

async function replace(sql: Sql, replaceable: readonly UsedLink[], starts: Starts): Promise<string[]> {
  if (replaceable.length === 0) return [];
  await lockLinkUses(sql, replaceable);
  const still = (await findLinkUses(sql, replaceable)).filter((use) => isReplaceable(use, starts)).map(keyName);
  await replaceLinkUses(
    sql,
    still.map((name) => toUse(starts.get(name)!)),
  );
  return still;
}

async function findEarlier(sql: Sql, all: readonly UsedLink[]): Promise<Map<string, ExistingRespondent>> {
  const uses = all.filter(({ respondentId }) => respondentId !== "");
  if (uses.length === 0) return new Map();
  const respondents = new Map((await findRespondentRows(sql, uses)).map((row) => [row.respondentId, row]));
  return new Map(
    uses.flatMap((use) => {
      const row = respondents.get(use.respondentId);
      return row ? [[keyName(use), row] as const] : [];
    }),
  );
}

function linked({ permitted, respondent }: WantedStart): ExistingRespondent | undefined {
  return permitted.start.privacy.anonymity === "none" ? respondent : undefined;
}

/** With anonymity only the day is kept: the moment would lead to the respondent that started then. */
function toUse(start: WantedStart): LinkUse {
  const { privacy, timeZone } = start.permitted.start;
  return {
    ...keyOf(start),
    respondentId: linked(start)?.respondentId ?? "",
    usedAt: recordedTime(start.startedAt, privacy.anonymity !== "none", timeZone),
    isAnonymous: privacy.anonymity === "full",
  };
}

function keyOf({ permitted }: WantedStart): LinkKey {
  return { workspaceId: permitted.start.workspaceId, linkId: permitted.link?.linkId ?? "" };
}

const keyName = ({ workspaceId, linkId }: LinkKey) => `${workspaceId} ${linkId}`;
const nameOf = (start: WantedStart) => keyName(keyOf(start));
