export { startS3 } from "./start-s3.ts";
