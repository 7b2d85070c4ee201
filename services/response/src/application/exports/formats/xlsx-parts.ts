import { dateFormats } from "./xlsx-cells.ts";

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const schemas = "http://schemas.openxmlformats.org";
const main = `${schemas}/spreadsheetml/2006/main`;
const relations = `${schemas}/officeDocument/2006/relationships`;
const application = "application/vnd.openxmlformats-officedocument.spreadsheetml";

export const sheetStart = (columns: string): string =>
  `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
  `${columns}<sheetData>`;
export const sheetEnd = "</sheetData></worksheet>";

export const packageRelations =
  `${declaration}<Relationships xmlns="${schemas}/package/2006/relationships">` +
  `<Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const each = (count: number, write: (number: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index + 1)).join("");

export function contentTypes(sheetCount: number): string {
  const sheet = (number: number) =>
    `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${application}.worksheet+xml"/>`;
  return (
    `${declaration}<Types xmlns="${schemas}/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${application}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${application}.styles+xml"/>${each(sheetCount, sheet)}</Types>`
  );
}

export function workbook(sheetCount: number): string {
  const sheet = (number: number) =>
    `<sheet name="Responses${number === 1 ? "" : ` ${number}`}" sheetId="${number}" r:id="rId${number}"/>`;
  return (
    `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}">` +
    `<sheets>${each(sheetCount, sheet)}</sheets></workbook>`
  );
}

export function workbookRelations(sheetCount: number): string {
  const sheet = (number: number) =>
    `<Relationship Id="rId${number}" Type="${relations}/worksheet" Target="worksheets/sheet${number}.xml"/>`;
  return (
    `${declaration}<Relationships xmlns="${schemas}/package/2006/relationships">${each(sheetCount, sheet)}` +
    `<Relationship Id="rId${sheetCount + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`
  );
}

const firstFormat = 164;
const formats = dateFormats.map((code, index) => `<numFmt numFmtId="${firstFormat + index}" formatCode="${code}"/>`);
const cellStyle = (format: number) =>
  `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;

export const styles =
  `${declaration}<styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats.join("")}</numFmts>` +
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${formats.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
  `${formats.map((_, index) => cellStyle(firstFormat + index)).join("")}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';
