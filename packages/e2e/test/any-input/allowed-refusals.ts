/**
 * Places where a request that fits its schema may still be refused with 400 or 422, because no schema can state the
 * rule. Any other refusal is a fault of the schema.
 */
export const allowedRefusals: readonly { place: RegExp; why: string }[] = [
  { place: /^cursor$/, why: "a cursor carries a MAC; only one that was handed out is taken" },
  { place: /^page$/, why: "page times limit: how far pages of answers by number reach" },
  { place: /^(?:from|to)$/, why: "two fields in their order" },
  { place: /^(?:bom|escapeFormulas)$/, why: "only where the format is csv" },
  { place: /^(?:mode|matchOn)$/, why: "the same in the query and the body" },
  { place: /^timeZone$/, why: "one that the time zone database names" },
  { place: /^expires_at$/, why: "must lie in the future, and a schema knows no clock" },
  { place: /^active$/, why: "only the present value is taken" },
  { place: /^settings$/, why: "a patch of nothing but empty groups of settings changes nothing" },
  { place: /^settings\.schedule\.closesAt$/, why: "must be after opensAt: an order of two fields" },
  { place: /^(?:settings\.)?closesAt$/, why: "must be after opensAt: an order of two fields" },
  { place: /^(?:settings\.)?allowedOrigins\.\d+$/, why: "each once, as browsers write origins" },
  { place: /^(?:settings\.)?password$/, why: "true only where there is a password to keep" },
  {
    place: /^settings\.access\.password$/,
    why: "one schema for requests and answers, which have true or false instead of the text",
  },
  { place: /^(?:count|contactIds(?:\.\d+)?)$/, why: "what the distributor's type takes, and contacts that exist" },
  { place: /^settings\.locale\.additional$/, why: "no language twice, whatever its case" },
  { place: /^(?:distributorId|contactId)$/, why: "must be there, of this very survey, and collect" },
  { place: /^pageId$/, why: "must be a page of this very survey" },
  { place: /^questions\.\d+\.pageTitle$/, why: "only where pageId names the last page" },
  { place: /^questions\.\d+\.typeSettings(?:\.|$)/, why: "rules between settings, and between settings and lists" },
  { place: /^questions\.\d+\.(?:required|multipleAnswers|subject)$/, why: "given again in another field" },
  { place: /^questions\.\d+\.(?:choices|rows|columns)(?:\.|$)/, why: "cells of a matrix: a product of lengths" },
  {
    place: /^settings\.(?:typeSettings|responseValidation|choices|rows|columns)(?:\.|$)/,
    why: "what the question's type takes",
  },
  { place: /^(?:elementIds|choiceIds)(?:\.\d+)?$/, why: "all of this very page or question, each once" },
  {
    place: /^(?:choices\.\d+\.)?(?:choiceId|imageUrl)$|^questionId$/,
    why: "of this very question, and pictures where it has some",
  },
  { place: /^choices$/, why: "one of them has to be left to choose" },
  { place: /^(?:loop|skipLogic|pages)\./, why: "what stands where in the survey, and what answers a question has" },
  { place: /^position$/, why: "no more than the rating has steps" },
  { place: /^responses$/, why: "may be empty only where a page or metadata comes along" },
  { place: /^responses\.\d+(?:\.elementId)?$/, why: "a question of the respondent's version, each once" },
  { place: /^responses\.\d+\.(?:type|value)(?:\.|$)/, why: "what the question asks for, by its type and settings" },
  {
    place: /^(?:email|externalId)$/,
    why: "of no other contact, an address that mail can have, and one of the two known",
  },
  { place: /^phone$/, why: "a number that the numbering plan of its country may have" },
  { place: /^(?:firstName|lastName|externalId|language|attributes(?:\..*)?)$/, why: "no control characters" },
  { place: /^url$/, why: "must lead to a public address on an open port" },
  { place: /^name$/, why: "invisible characters only where an emoji or a script needs them" },
];
