export { csvRecords, unreadableFile, type CsvFile, type CsvRecord } from "./csv-records.ts";
