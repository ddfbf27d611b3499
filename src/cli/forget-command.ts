import { forgetPerson, wordsPattern } from "../store/forget-person.ts";
import { onDatabase } from "./database-work.ts";
import { type Around, print } from "./process-env.ts";
import type { OperatorCommand } from "./read-arguments.ts";
import { readConfigAlone } from "./read-setup.ts";

export function runForget(
  { given, isTrial }: OperatorCommand & { name: "person forget" },
  around: Around,
): Promise<number> {
  const failed = (name: string) => `Nobody could be forgotten in ${name}, and nothing was changed`;
  return onDatabase(around, failed, async (database) => {
    const config = readConfigAlone({ ...around, configFile: undefined });
    if (config.kind === "problems") return print(config.problems, around.errorOutput, 1);
    const { names, shared, entries, channels, things, ...trial } = await forgetPerson(database, given, true);
    // Who has a role is not gone, and the config would bring a name back.
    const named = wordsPattern([...trial.ids, ...names]);
    const inConfig = around
      .readFile(config.configFile)
      .split("\n")
      .flatMap((line, index) =>
        line.search(named) < 0 ? [] : `${config.configFile}:${index + 1} names them: take that out, and reload`,
      );
    const obstacles = [...trial.obstacles, ...inConfig].map((each) => `  ${each}`);
    if (obstacles.length > 0)
      return print(["They cannot be forgotten yet, and nothing was changed:", ...obstacles], around.errorOutput, 1);
    const { head } = isTrial ? trial : await forgetPerson(database, given, false);
    const what = isTrial ? names.join(", ") : `${names.length} names and addresses`;
    const lines = [
      `${isTrial ? "This would be unreadable for ever" : "This is unreadable now"}: ${what}, with reasons and notes.`,
      `It is in ${entries} entries of the history.`,
      ...(isTrial && shared.size > 0
        ? [`Others have these names too, so they stay in what is not theirs: ${[...shared].join(", ")}.`]
        : []),
      `Slack still has what was posted. Delete there what must go: ${channels.join(", ") || "no channel is known"}.`,
      ...(things.length > 0 ? [`Rename these in the service, where they still name them: ${things.join(", ")}.`] : []),
      "Backups, exports and logs still have it too. PostgreSQL needs VACUUM FULL.",
      isTrial ? "Nothing was changed. Add --yes to do it." : `Keep this elsewhere: head ${head.length}:${head.hash}`,
    ];
    return print(lines, around.output, 0);
  });
}
