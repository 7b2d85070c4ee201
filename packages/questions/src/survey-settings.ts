import type { Plan } from "@canvass/access";
import { Type, type Static, type TSchema } from "typebox";
import { languageKey, languageTagPattern, longestTimestamp, ownValue, parseInstant } from "@canvass/values";
import { isPlainWebUrl, isWebUrl, plainWebUrlViolation } from "./formats.ts";
import { replacePlaceholders } from "./piping/template.ts";
import { nullable } from "./type-settings.ts";

export type SurveySetting<S extends TSchema = TSchema> = {
  readonly schema: S;
  readonly default: Static<S>;
  readonly summary: string;
  /** The weakest plan with this setting. `isLocked` selects the values that need it; default: all but `default`. */
  readonly plan?: Plan;
  isLocked?(value: Static<S>): boolean;
  violation?(value: Static<S>): string | null;
  /** Received in plain text, stored as a hash, never returned. */
  readonly isSecret?: boolean;
  /** A text that respondents see, which translations translate. */
  readonly isText?: boolean;
  /** Takes placeholders (contract 6.19). */
  readonly hasPlaceholders?: boolean;
  /** The key in the same group whose former name this is: both have one value. */
  readonly aliasOf?: string;
  /** Cannot change while there are responses (contract 6.4). */
  readonly isFixedByResponses?: boolean;
};

type Extras<S extends TSchema> = Omit<SurveySetting<S>, "schema" | "default" | "summary">;

function setting<S extends TSchema>(summary: string, schema: S, byDefault: Static<S>, extras: Extras<S> = {}) {
  return { schema, default: byDefault, summary, ...extras } satisfies SurveySetting<S>;
}

const flag = (summary: string, byDefault: boolean, extras: Extras<ReturnType<typeof Type.Boolean>> = {}) =>
  setting(summary, Type.Boolean(), byDefault, extras);
const text = (most: number) => nullable(Type.String({ minLength: 1, maxLength: most }));
const shownText = { isText: true };
const button = (summary: string) =>
  setting(`${summary}; null: the word of the survey's language.`, text(50), null, shownText);
const color = nullable(Type.String({ pattern: "^#[0-9a-fA-F]{6}$", description: "a colour such as #1a2b3c" }));
const fontNames = ["system", "humanist", "geometric", "rounded", "serif", "slab", "mono"] as const;
const webUrl = (scheme: string, description: string) =>
  nullable(Type.String({ pattern: `^${scheme}://\\S+$`, maxLength: 2_048, description }));
const timestamp = nullable(
  Type.String({
    format: "date-time",
    maxLength: longestTimestamp,
    description: "a date-time such as 2026-01-31T09:00:00Z",
  }),
);
const instant = {
  violation: (value: string | null) =>
    value === null || parseInstant(value) ? null : "must be a date-time such as 2026-01-31T09:00:00Z",
};

/** An address as if placeholders were letters. */
const withoutPlaceholders = (address: string) => replacePlaceholders(address, () => "x");

const languageTag = Type.String({ pattern: languageTagPattern, description: "a language tag such as de or pt-BR" });
const languageList = Type.Array(languageTag, { maxItems: 50 });
const eachOnce = {
  violation: (tags: readonly string[]) =>
    new Set(tags.map(languageKey)).size < tags.length ? "must not name a language twice" : null,
};

/** Every survey setting, as `settings.<group>.<key>` (contract 6.4). */
export const surveySettings = {
  display: {
    flow: setting("Content of a screen: a page, or one of its questions.", Type.Enum(["page", "question"]), "page"),
    progressStyle: setting("How progress is shown.", Type.Enum(["none", "bar", "percentage", "steps"]), "bar"),
    showQuestionNumbers: flag("Number the questions.", true),
    showBranding: flag("Show the service's name; turning it off needs a plan.", true, { plan: "starter" }),
    theme: setting("Colours of the page.", Type.Enum(["light", "dark", "contrast"]), "light"),
    primaryColor: setting("Colour of buttons and markers.", color, null),
    backgroundColor: setting("Colour behind the questions.", color, null),
    font: setting(
      "Font family; each is a list of fonts that are installed on devices.",
      Type.Enum(fontNames),
      "system",
    ),
    cornerRadius: setting("Radius of corners in pixels.", Type.Integer({ minimum: 0, maximum: 24 }), 10),
    logo: setting("URL of a picture.", webUrl("https", "a URL starting with https://"), null, {
      plan: "starter",
      violation: (value) =>
        value === null || (value.startsWith("https://") && isWebUrl(value))
          ? null
          : "must be a URL starting with https://",
    }),
  },
  navigation: {
    showPrevious: flag("Show a button to the previous page.", true),
    autoAdvance: flag("Continue automatically when a page with one question is answered.", false),
    buttonNext: button("Label of the button to the next page"),
    buttonPrevious: button("Label of the button to the previous page"),
    buttonDone: button("Label of the button that ends the survey"),
  },
  welcome: {
    enabled: flag("Show a screen before the questions.", false),
    title: setting("Title of the screen before the questions; null: the survey's name.", text(300), null, shownText),
    text: setting("Text below the title; null: the survey's description.", text(5_000), null, shownText),
    buttonStart: button("Label of the button to the questions"),
  },
  access: {
    password: setting("Required before the survey starts.", text(200), null, { plan: "professional", isSecret: true }),
    allowIndexing: flag("Let search engines list the survey's page.", false),
    inviteOnly: flag("Only personal and single-use links can start the survey.", false),
  },
  collection: {
    responseLimit: setting(
      "Close after this many completed respondents.",
      nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
      null,
      { plan: "professional" },
    ),
    preventDuplicates: flag("One response per device.", false),
    editAfterSubmit: setting(
      "Until when answers may be changed.",
      Type.Enum(["never", "until_complete", "always"]),
      "until_complete",
    ),
    closedMessage: setting("Shown when the survey no longer collects answers.", text(2_000), null, shownText),
  },
  schedule: {
    opensAt: setting("Collects answers from this time on (RFC 3339).", timestamp, null, instant),
    closesAt: setting(
      "Collects no more answers from this time on (RFC 3339); must be after `opensAt`.",
      timestamp,
      null,
      instant,
    ),
  },
  privacy: {
    anonymity: setting("How anonymous respondents are.", Type.Enum(["none", "partial", "full"]), "none", {
      plan: "enterprise",
      isLocked: (value) => value === "full",
      isFixedByResponses: true,
    }),
    collectCountry: flag("Store the country of respondents.", true, { isFixedByResponses: true }),
  },
  completion: {
    title: setting("Title of the final screen; may have placeholders.", text(300), null, {
      ...shownText,
      hasPlaceholders: true,
    }),
    message: setting("Text of the final screen; may have placeholders.", text(5_000), null, {
      ...shownText,
      hasPlaceholders: true,
    }),
    buttonRedirect: setting(
      "Label of a button to `redirectUrl` on the final screen; null: redirects automatically.",
      text(50),
      null,
      shownText,
    ),
    redirectUrl: setting(
      "URL to which respondents are sent at the end; may have placeholders after its host.",
      webUrl("https?", "a URL starting with https:// or http://"),
      null,
      {
        plan: "professional",
        hasPlaceholders: true,
        violation: (value) =>
          value === null || isPlainWebUrl(withoutPlaceholders(value)) ? null : plainWebUrlViolation,
      },
    ),
  },
  locale: {
    languages: setting(
      "Languages besides the survey's own (BCP 47) that respondents may choose, each once.",
      languageList,
      [],
      eachOnce,
    ),
    additional: setting("The former name of `languages`.", languageList, [], { ...eachOnce, aliasOf: "languages" }),
    showSwitch: flag("Let respondents switch the language.", false),
  },
} as const satisfies Record<string, Record<string, SurveySetting>>;

type Catalogue = typeof surveySettings;

export type SurveySettings = {
  -readonly [Group in keyof Catalogue]: {
    -readonly [Key in keyof Catalogue[Group]]: Catalogue[Group][Key] extends { schema: infer S extends TSchema }
      ? Static<S>
      : never;
  };
};

/** A validated patch, in which null unsets a setting; or the stored settings, without those that were never set. */
export type SurveySettingsPatch = { [group: string]: { [key: string]: unknown } };

export type PlacedSetting = { group: string; key: string; setting: SurveySetting };

export const placedSettings: readonly PlacedSetting[] = Object.entries(surveySettings).flatMap(([group, settings]) =>
  Object.entries(settings).map(([key, entry]) => ({ group, key, setting: entry as unknown as SurveySetting })),
);

/** Undefined for a setting that was never set. A name and its former name are one setting. */
export function storedSetting(stored: SurveySettingsPatch, group: string, key: string): unknown {
  const values = stored[group] ?? {};
  for (const name of [key, ...(namesOf.get(`${group}.${key}`) ?? [])]) {
    const value = ownValue(values, name) ?? undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The other names of settings that have several. */
const namesOf = new Map<string, string[]>(
  placedSettings.flatMap(({ group, key, setting: { aliasOf } }): [string, string[]][] =>
    aliasOf === undefined
      ? []
      : [
          [`${group}.${key}`, [aliasOf]],
          [`${group}.${aliasOf}`, [key]],
        ],
  ),
);
