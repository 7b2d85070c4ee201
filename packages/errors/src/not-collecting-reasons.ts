/** Why answers are refused: `details.reason` of `survey_not_collecting` (contract 7.5). */
export const notCollectingReasons = [
  "not_published",
  "inactive",
  "not_open_yet",
  "closed",
  "response_limit",
  "privacy_changed",
  "screened_out",
  "invite_only",
  "link_draft",
  "link_paused",
  "link_closed",
  "link_not_open_yet",
  "link_limit",
  "link_used",
] as const;

export type NotCollectingReason = (typeof notCollectingReasons)[number];
