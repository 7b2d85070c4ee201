import { joinPath, type Violation } from "@canvass/inputs";
import { conditionViolations } from "../conditions/condition-violations.ts";
import type { SurveyDefinition } from "../definition.ts";
import { findElement, indexOf } from "../definition-index.ts";
import { nameKey } from "../name-key.ts";
import { translatedPlaces } from "../piping/piped-texts.ts";
import { surveyTemplateViolations } from "../piping/template-violations.ts";

/** Returns the violations of a definition's quotas whose shape is valid. */
export function quotaViolations(definition: SurveyDefinition, path: string): Violation[] {
  const names = new Set<string>();
  return (definition.quotas ?? []).flatMap(({ name, when, onFull, message, translations }, at) => {
    const place = joinPath(path, at);
    const violations = conditionViolations(
      when,
      joinPath(place, "when"),
      indexOf(definition).fields,
      (elementId) => findElement(definition, elementId) ?? "must name a question of the survey",
    );
    if (names.has(nameKey(name))) {
      violations.push({ path: joinPath(place, "name"), message: "is the name of another quota" });
    }
    names.add(nameKey(name));
    const messages = message === null ? [] : [{ path: "message", text: message }, ...translatedPlaces(translations)];
    for (const { path: at, text } of messages) {
      violations.push(...surveyTemplateViolations(text, joinPath(place, at), indexOf(definition)));
    }
    if (onFull === "message" && message === null) {
      violations.push({ path: joinPath(place, "message"), message: "is required, because the respondent sees it" });
    }
    return violations;
  });
}
