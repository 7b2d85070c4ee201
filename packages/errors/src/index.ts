export {
  AppError,
  fieldOf,
  groupFaults,
  joinFaults,
  validationFailed,
  type ErrorDetails,
  type Fault,
} from "./app-error.ts";
export { errorCatalogue, isErrorCode, type ErrorCode, type ErrorDefinition } from "./catalogue.ts";
