export { checkShape, unknownField } from "./check-shape.ts";
export {
  faultAt,
  faultsBelow,
  fieldOf,
  groupFaults,
  joinFaults,
  joinPath,
  noFaults,
  refuseFaults,
  validationFailed,
  type Fault,
} from "./faults.ts";
export { idPattern, isId, placePattern } from "./ids.ts";
export { isJsonObject, isSameJson, isStorable, ownValue, unstorable, type JsonObject } from "./json.ts";
export { isLanguageTag, languageTagPattern } from "./language-tag.ts";
export { parseDate, parseDateTime, parseInstant, parseTime } from "./moments.ts";
export { newId } from "./new-id.ts";
export { characterCount, isBlank, isLongerThan } from "./text.ts";
export { dayIn, isTimeZone, lastDays, startOfDay } from "./time-zones.ts";
