import type { Operation } from "./operations.ts";
import { toolSchemas, type ToolSchemas } from "./tool-schemas.ts";
import { tools, type Tool } from "./tools.ts";

export interface PreparedTool extends ToolSchemas {
  tool: Tool;
  operation: Operation;
}

/** Finds each tool's operation and makes its schemas. Throws for a tool without an operation. */
export function prepareTools(operations: ReadonlyMap<string, Operation>): ReadonlyMap<string, PreparedTool> {
  return new Map(
    tools.map((tool) => {
      const operation = operations.get(tool.operationId);
      if (!operation) throw new Error(`no route has the operation ${tool.operationId} of the tool ${tool.name}`);
      return [tool.name, { tool, operation, ...toolSchemas(tool, operation) }];
    }),
  );
}
