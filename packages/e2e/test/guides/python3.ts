// Runs a Python program as `python3` does, by the interpreter that npm brings.
import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [, , program] = process.argv;
const python = await loadPyodide();
python.mountNodeFS("/reader", process.cwd());
python.FS.chdir("/reader");
await python.runPythonAsync(readFileSync(program!, "utf8"), { filename: program! });
