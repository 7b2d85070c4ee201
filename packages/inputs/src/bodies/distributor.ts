import { Type, type Static, type TSchema } from "typebox";
import { closed, limitedText, timestampText, nameText, reference, visibleText, word } from "../fields.ts";
import { cursorQuery } from "../pages.ts";

export const distributorTypes = ["link", "single_use_link", "personal_link", "embed"] as const;
export type DistributorType = (typeof distributorTypes)[number];

export const mostDistributors = 1_000;
export const mostIssuedLinks = 100_000;
export const mostSingleUseLinks = 1_000;
export const mostLinkContacts = 500;
const mostOrigins = 20;

const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));
const name = nameText(200, "what people call it");

/** A field that is missing or null gets its default. */
export const distributorSettingsBody = closed({
  opensAt: optional(timestampText("takes answers from this moment on; default: the survey's")),
  closesAt: optional(timestampText("takes no more answers from this moment on, after `opensAt`")),
  responseLimit: optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: "closes after this many completed respondents",
      "x-expected": "a whole number from 1 to 1000000000",
    }),
  ),
  password: Type.Optional(
    Type.Union([visibleText(200), Type.Boolean(), Type.Null()], {
      title: "DistributorPassword",
      description: "required before the survey starts; true keeps the current password; it is never returned",
      "x-expected": "text of 1 to 200 characters, or true to keep the password that is set",
    }),
  ),
  allowMultiple: optional(
    Type.Boolean({
      default: false,
      description: "whether one browser may answer several times",
      "x-expected": "true or false",
    }),
  ),
  prefill: optional(
    Type.Boolean({
      default: false,
      description: "whether the query string of the link may answer questions that have a name: `?q.<name>=`",
      "x-expected": "true or false",
    }),
  ),
  closedMessage: optional(
    visibleText(2_000, { description: "shown while it does not collect; default: the survey's message" }),
  ),
  redirectUrl: optional(
    Type.String({
      pattern: "^https?://\\S+$",
      maxLength: 2_048,
      description: "URL to which respondents are sent after completion; default: the survey's",
      "x-expected": "a URL starting with https:// or http://",
    }),
  ),
  allowedOrigins: optional(
    Type.Array(
      limitedText(300, {
        description: "an origin such as https://example.com",
        "x-expected": "an origin such as https://example.com",
      }),
      {
        maxItems: mostOrigins,
        description: "origins of web pages that may embed it; default: none",
        "x-expected": "a list",
      },
    ),
  ),
});

export type DistributorSettingsBody = Static<typeof distributorSettingsBody>;

export const createDistributorBody = closed({
  name,
  type: Type.Optional(
    word(distributorTypes, {
      default: "link",
      description:
        "`link` and `embed`: one address for all; `single_use_link` and `personal_link`: one for each person",
      "x-expected": `one of ${distributorTypes.join(", ")}`,
    }),
  ),
  settings: Type.Optional({ ...distributorSettingsBody, title: "DistributorSettingsInput" }),
});

export type CreateDistributorBody = Static<typeof createDistributorBody>;

export const updateDistributorBody = closed({ name: Type.Optional(name) }, { minProperties: 1 });

export const issueLinksBody = closed({
  count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: mostSingleUseLinks,
      description: "number of single-use links to issue",
      "x-expected": `a whole number from 1 to ${mostSingleUseLinks}`,
    }),
  ),
  contactIds: Type.Optional(
    Type.Array(reference("a contact", "who gets a personal link; earlier ones stay"), {
      minItems: 1,
      maxItems: mostLinkContacts,
    }),
  ),
});

export type IssueLinksBody = Static<typeof issueLinksBody>;

export const qrCodeQuery = closed({
  format: word(["svg", "png"] as const, { default: "svg", "x-expected": "svg or png" }),
  size: Type.Integer({
    minimum: 128,
    maximum: 1_024,
    default: 512,
    description: "width and height in pixels; an SVG fits any size",
    "x-expected": "a whole number from 128 to 1024",
  }),
});

export const embedCodeQuery = closed({
  mode: word(["iframe", "popup"] as const, {
    default: "iframe",
    description: "iframe: in the page; popup: in a window that a button opens",
    "x-expected": "iframe or popup",
  }),
});

export const distributorsQuery = cursorQuery({});
export const issuedLinksQuery = cursorQuery({});
