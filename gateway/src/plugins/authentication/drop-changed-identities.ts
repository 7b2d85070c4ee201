import { listenToNotices, type Bus } from "@canvass/events";
import { membershipOf, type IdentityCache } from "./identity-cache.ts";

/** Drops cached identities when a notice says they changed. If a notice is lost, they expire within ten seconds. */
export function dropChangedIdentities(bus: Bus, identities: IdentityCache): Disposable {
  const subscriptions = new DisposableStack();
  for (const type of ["token.revoked", "workspace.plan_changed", "membership.changed"] as const) {
    subscriptions.use(
      listenToNotices(bus, type, ({ workspaceId, body }) => {
        if (body.case === "tokenRevoked") identities.forget(body.value.tokenId);
        if (body.case === "workspacePlanChanged") identities.forget(workspaceId);
        if (body.case === "membershipChanged") identities.forget(membershipOf({ workspaceId, ...body.value }));
      }),
    );
  }
  return subscriptions;
}
