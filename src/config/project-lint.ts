import { closest } from "fastest-levenshtein";
import { type LintFinding, warning } from "./lint-finding.ts";
import type { Settings } from "./settings.ts";

/** Projects that the file names and does not list: a misspelt one protects or allows nothing. Only where it lists projects. */
export function lintProjects(settings: Settings): readonly LintFinding[] {
  const known = settings.directory.projects.map(({ id }) => id);
  if (known.length === 0) return [];
  return namedProjects(settings).flatMap(([path, ids = []]) =>
    [...ids]
      .filter((id) => !known.includes(id))
      .map((id) =>
        warning(
          path,
          `directory.projects does not list a project with the id ${id}; did you mean "${closest(id, known)}"?`,
        ),
      ),
  );
}

type Named = readonly [path: LintFinding["path"], ids: Iterable<string> | undefined];

function namedProjects({ policy, digest, warnings, channels, resourceGroups, directory }: Settings): readonly Named[] {
  const one = (id: string | undefined) => (id === undefined ? [] : [id]);
  return [
    ...policy.roles.map(
      ({ name, where }): Named => [["permissions", "roles", name, "where", "projects"], where.projects],
    ),
    ...policy.approvals.map(({ when }, index): Named => [["approvals", index, "when", "projects"], when.projects]),
    ...policy.budgets.map(({ projects }, index): Named => [["budgets", index, "projects"], projects]),
    ...warnings.map(({ projects }, index): Named => [["warnings", index, "projects"], projects]),
    ...digest.map(({ projects }): Named => [["digest"], projects]),
    ...Object.entries(channels).map(([id, { project }]): Named => [["channels", id, "project"], one(project)]),
    ...Object.entries(resourceGroups).map(
      ([name, { project }]): Named => [["resourceGroups", name, "project"], one(project)],
    ),
    ...directory.credentials.map(
      ({ project }, index): Named => [["directory", "credentials", index, "project"], one(project)],
    ),
    ...directory.plans.map(({ project }, index): Named => [["directory", "plans", index, "project"], one(project)]),
  ];
}
