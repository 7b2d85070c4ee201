import { AppError } from "@canvass/errors";
import { settingsWithDefaults } from "@canvass/questions";
import { expect, test } from "vitest";
import { requirePromisedPrivacy } from "./collecting.ts";

test("a respondent who started under another privacy promise gets that reason, not that the survey is closed", () => {
  const settings = settingsWithDefaults({ privacy: { anonymity: "full" } });
  requirePromisedPrivacy({ isAnonymous: true, hasContact: false }, settings);
  expect(() => requirePromisedPrivacy({ isAnonymous: false, hasContact: false }, settings)).toThrow(
    new AppError(
      "survey_not_collecting",
      { reason: "privacy_changed" },
      "This respondent started while the survey promised less privacy.",
    ),
  );
});
