export { isCountryCode } from "./country-code.ts";
export { contentTag, entityTag, ifMatchAllows } from "./entity-tag.ts";
export { idPattern, isId, placePattern } from "./ids.ts";
export {
  isJsonObject,
  isSameJson,
  containsInfinity,
  infinityMessage,
  isStorable,
  isJsonWithinBytes,
  ownValue,
  unstorableTextMessage,
  unstorableMessages,
  type JsonObject,
} from "./json.ts";
export { isLanguageTag, languageKey, languageTagPattern, lookUpLanguage } from "./language-tag.ts";
export { longestTimestamp, parseDate, parseDateTime, parseInstant, parseTime } from "./timestamps.ts";
export { firstIdOf, newId, timeOfId } from "./new-id.ts";
export { characterCount, counted, escapeHtml, isBlank, isLongerThan } from "./text.ts";
export { dayIn, isTimeZone, lastDays, startOfDay } from "./time-zones.ts";
