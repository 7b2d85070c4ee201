import { questionTypeOf } from "../catalogue.ts";
import { choicesAndOther } from "../chosen-choices.ts";
import { takesDefault } from "../default-value.ts";
import type { SurveyDefinition } from "../definition.ts";
import { withCarriedChoices } from "../definition-index.ts";

/** An element that the address of a link may answer. */
export interface PrefillName {
  elementId: string;
  /** Ids of choices by code. */
  codes: Record<string, string>;
}

/** Elements of a definition by name, as far as an address may answer them (contract 6.19). */
export function prefillNames(definition: SurveyDefinition): Record<string, PrefillName> {
  const { pages } = withCarriedChoices(definition);
  const elements = pages.flatMap((page) => (page.loop ? [] : page.elements));
  const named = elements.flatMap((question): [string, PrefillName][] => {
    const { name, elementId } = question;
    if (name === undefined || !takesDefault(questionTypeOf(question))) return [];
    const coded = choicesAndOther(question).flatMap(({ id, code, retired }) =>
      code === undefined || retired ? [] : [[code, id] as const],
    );
    return [[name, { elementId, codes: Object.fromEntries(coded) }]];
  });
  return Object.fromEntries(named);
}
