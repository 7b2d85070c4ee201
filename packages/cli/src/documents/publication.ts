import type { Api } from "@canvass/sdk";

/** The changes that are published only if they are acknowledged (contract 6.10). */
export const toAcknowledge = (changes: readonly Api.DraftChange[]): Api.DraftChange[] =>
  changes.filter((change) => change.class === "results_affecting" && change.affectedResponses > 0);

/** Whether publishing after the plan makes a version. */
export const publishes = ({ changes, baseVersion }: Pick<Api.DocumentPlan, "changes" | "baseVersion">): boolean =>
  changes.length > 0 || baseVersion === null;
