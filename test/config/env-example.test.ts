import { expect, test } from "vitest";
import { loadDotEnv, readEnvironment, variableNames, variables } from "../../src/config/environment.ts";

const header = `# Copy to .env and fill in; what is set in the environment wins. Each may also be given as NAME_FILE=<path>, a file whose
# content is the value. With none of the SLACK_… and SCHEDULER_… variables set, \`npm start\` runs the sandbox.
`;

/** A variable without a default is left empty, which counts as not set; one with a default is a comment. */
const entries = variableNames.map((name) => {
  const schema = variables.shape[name];
  const byDefault = schema.parse(undefined);
  const line = byDefault === undefined ? `${name}=` : `# ${name}=${byDefault}`;
  return `\n# ${schema.meta()?.description}\n${line}\n`;
});
const expected = `${header}${entries.join("")}`;

test(".env.example matches the declared variables (update it with vitest -u)", async () => {
  await expect(expected).toMatchFileSnapshot("../../.env.example");
});

test("an untouched copy of .env.example runs the sandbox", () => {
  expect(readEnvironment(loadDotEnv(expected, {}), String)).toMatchObject({ kind: "sandbox" });
});
