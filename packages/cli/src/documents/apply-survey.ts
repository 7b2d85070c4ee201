import { OperationalError } from "@canvass/provisioning";
import { CanvassError, type Canvass, type RequestOptions } from "@canvass/sdk";
import { ensureSurvey } from "./create-survey.ts";
import { recordState } from "./record-state.ts";
import { planSurvey, type SurveyPlan } from "./plan-survey.ts";
import { publishes, toAcknowledge } from "./publication.ts";
import { publishPlan } from "./publish-plan.ts";
import { issueLine, showChanges } from "./show-plan.ts";
import type { SurveyFile } from "./survey-file.ts";

export type ApplyWish = {
  url: string;
  file: SurveyFile;
  /** Write the draft only. */
  draft: boolean;
  /** Asks for a confirmation that is not given by options; throws if it is refused. */
  allow: { overwrite: () => Promise<void>; acknowledge: () => Promise<void> };
  note: (line: string) => void;
  options: RequestOptions;
};

export type Applied = {
  surveyId: string;
  created: boolean;
  /** Places that were written. */
  wrote: string[];
  /** Number of the version that was published; null if none was. */
  publishedVersion: number | null;
};

/**
 * Updates the survey of a file to equal it, or creates it, and publishes it. Each step is one write, which is refused
 * if the survey changed since it was planned. Steps that are done are not repeated, so after a failure the next call
 * continues.
 */
export async function applySurvey(canvass: Canvass, wish: ApplyWish): Promise<Applied> {
  const { url, file, draft, allow, note, options } = wish;
  const { created, ...state } = await ensureSurvey(canvass, url, file, options);
  const { surveyId } = state;
  if (created) note(`Created survey ${surveyId}.`);
  const plan = await planSurvey(canvass, file, state, options);
  if (plan.drift) {
    note(`Survey ${surveyId} was changed since it was last pulled or applied; ${file.path} would undo that.`);
    note(plan.diff ?? "");
    await allow.overwrite();
  }
  const willPublish = !draft && publishes(plan);
  if (willPublish) {
    const instead = created
      ? "Its draft is created; mend the file, and run it again."
      : "Nothing was written; --draft writes the draft without publishing it.";
    requirePublishable(plan, instead);
    const affecting = toAcknowledge(plan.changes);
    if (affecting.length > 0) {
      note(showChanges(affecting));
      await allow.acknowledge();
    }
  }
  let { etag } = plan;
  if (plan.writes.length > 0) {
    ({ etag } = await canvass.surveys
      .replaceDocument({ id: surveyId, etag }, file, options)
      .catch(orChanged(`Survey ${surveyId} was changed meanwhile; nothing was written`)));
    note(`Wrote ${plan.writes.join(", ")}.`);
  }
  await recordState(canvass, url, file, { id: surveyId, etag }, options);
  const applied = { surveyId, created, wrote: plan.writes };
  if (!willPublish) return { ...applied, publishedVersion: null };
  const published = await publishPlan(canvass, { ...plan, etag }, options).catch(
    orChanged(`Survey ${surveyId} was changed meanwhile; its draft is written, but not published`),
  );
  if (published) await recordState(canvass, url, file, { id: surveyId, etag: published.etag }, options);
  return { ...applied, publishedVersion: published?.versionNumber ?? null };
}

function requirePublishable({ class: worst, changes, issues }: SurveyPlan, instead: string): void {
  if (worst === "breaking") {
    const breaking = changes.filter((change) => change.class === "breaking").map(({ message }) => message);
    throw new OperationalError(`Breaking changes are never published: ${breaking.join(" ")} ${instead}`);
  }
  if (issues.length > 0) {
    throw new OperationalError(`It cannot be published: ${issues.map(issueLine).join(" ")} ${instead}`);
  }
}

/** Explains what to do when a write was refused because others have changed the survey. */
function orChanged(what: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof CanvassError) || error.code !== "precondition_failed") throw error;
    throw new OperationalError(`${what}. See by canvass plan what is new, and run canvass apply again.`, {
      cause: error,
    });
  };
}
