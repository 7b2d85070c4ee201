import type { AppError } from "@canvass/errors";
import type { ResponseContext } from "../context.ts";
import type { DistributorRef, Link } from "../domain/links/link.ts";
import type { LinkDirectory } from "../links/link-directory.ts";
import { orOwnError } from "./or-own-error.ts";

type Told = Link | AppError | undefined;

/** How a distributor collects, or the error of asking; undefined when it must be asked about first. */
export type LinkOf = (ref: DistributorRef) => Told;

/** Looks up known links. A batch sees one result for each distributor, even if its lease ends meanwhile. */
export function batchLinks(
  links: LinkDirectory,
  known: readonly (DistributorRef & { link: Link | AppError })[],
): LinkOf {
  const told = new Map<string, Told>(known.map(({ link, ...ref }) => [keyOf(ref), link]));
  return (ref) => {
    const key = keyOf(ref);
    if (!told.has(key)) told.set(key, links.freshByDistributor(ref));
    return told.get(key);
  };
}

/** Asks how distributors collect; a failure is the error of the submissions that need it. */
export async function fetchLinks(context: ResponseContext, refs: readonly DistributorRef[]): Promise<LinkOf> {
  const distinct = [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
  const known = await Promise.all(
    distinct.map(async ({ workspaceId, distributorId }) => ({
      workspaceId,
      distributorId,
      link: await orOwnError(context, context.links.byDistributor({ workspaceId, distributorId })),
    })),
  );
  return batchLinks(context.links, known);
}

function keyOf({ workspaceId, distributorId }: DistributorRef): string {
  return `${workspaceId} ${distributorId}`;
}
