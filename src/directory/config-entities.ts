import type { Settings } from "../config/settings.ts";
import type { NewEntity } from "./directory.ts";
import { entities } from "./entities-in-answer.ts";

/** The config's directory as entities, in the shape of the service's answers; made one by one, since there may be many. */
export function* directoryOf({ directory }: Pick<Settings, "directory">): Generator<NewEntity> {
  for (const each of bodies(directory)) if (each !== undefined) yield each;
}

function* bodies(directory: Settings["directory"]): Generator<NewEntity | undefined> {
  for (const { id, name, email, mfaType } of directory.users)
    yield entities("user", { userId: id, username: name, emailAddress: email, mfaType });
  for (const { id, name } of directory.projects) yield entities("project", { projectId: id, name });
  for (const { id, name, project, cloudProviderSubTypeId } of directory.credentials)
    yield entities("credential", { credentialId: id, name, cloudProviderSubTypeId, projectId: project });
  for (const { id, name } of directory.policies) yield entities("policy", { managedPolicyId: id, name });
  for (const { id, name, project } of directory.plans) yield entities("plan", { planId: id, name, projectId: project });
  for (const { id, name, plan } of directory.selectors)
    yield entities("selector", { selectorId: id, name, planId: plan });
}
