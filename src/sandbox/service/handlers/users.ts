import type { User } from "../account.ts";
import type { Handler, HandlerAnswer, HandlerContext } from "../handler.ts";
import { found, invalidValue, Refusal } from "../refusal.ts";

export const modifyUser: Handler<"ModifyUser"> = ({ id, emailAddress, status }, context) => {
  const user = found(context.account.users, "User", id);
  if (emailAddress !== undefined) requireUnusedEmail(emailAddress, id, context);
  return keep({ ...user, emailAddress: emailAddress ?? user.emailAddress, status: status ?? user.status }, context);
};

export const removeUserMfa: Handler<"RemoveUserMfa"> = ({ id, mfaType }, context) => {
  const user = found(context.account.users, "User", id);
  if (user.mfaType !== mfaType) throw invalidValue("mfaType", `The user's MFA type is not ${mfaType}.`);
  return keep({ ...user, mfaType: "none" }, context);
};

export const detachManagedPolicy: Handler<"DetachManagedPolicy"> = ({ id, managedPolicyId }, context) => {
  const user = found(context.account.users, "User", id);
  found(context.account.managedPolicies, "ManagedPolicy", managedPolicyId);
  const managedPolicies = user.managedPolicies.filter((policy) => policy.managedPolicyId !== managedPolicyId);
  if (managedPolicies.length === user.managedPolicies.length) {
    throw new Refusal(400, "ManagedPolicyNotAttached", `ManagedPolicy ${managedPolicyId} is not attached to the user.`);
  }
  return { ...keep({ ...user, managedPolicies }, context), managedPolicies };
};

function requireUnusedEmail(emailAddress: string, id: string, { account }: HandlerContext): void {
  const wanted = emailAddress.toLowerCase();
  const isUsed = [...account.users.values()].some(
    (other) => other.userId !== id && other.emailAddress.toLowerCase() === wanted,
  );
  if (isUsed) throw new Refusal(400, "EmailAddressInUse", "The e-mail address is already used by another user.");
}

/** Policies are shown only by the operation that detaches one (spec.md, "User"). */
function keep(user: User, { account }: HandlerContext): HandlerAnswer<"ModifyUser"> {
  account.users.set(user.userId, user);
  const { managedPolicies: _, ...shown } = user;
  return shown;
}
