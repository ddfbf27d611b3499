/** More words of accounts, names and requests, as in lexicon.ts: verbs, and after `|` other words. */
export const accountWords = {
  disable:
    "cut_off bar blacklist lock_down close_off|lock_out shut_out kick_out throw_out barred banned suspension de-activate",
  enable:
    "unsuspend unfreeze unban revive reopen re-open re-instate undisable un-suspend un-block|let_in let_back_in unsuspended",
  offboard:
    "off-board|leaver_process leaver_procedure leaver_steps leaver_checklist leavers_process leaver's_process leaving_process " +
    "offboarding_process offboarding_procedure offboarding_steps exit_process exit_procedure off-boarding gone_for_good left_for_good " +
    "no_longer_with_us no_longer_works_here",
  phone: "|device devices phones fone handsets smartphones cellphone yubikey",
  mfa:
    "|2nd_factor second_factors two_step two-step 2-step 2step two-step_verification two-factor_authentication auth_app " +
    "google_auth google_authenticator security_key otp_app authentication_app authenticators",
  account: "|acct acc accts accs acount accont",
  login: "|logon sign-on sign-in log-in logins",
  reset: "erase unregister unenroll unenrol|removal removals",
  detach: "pull come_off unlink disassociate|detachment off_of",
  email: "|mails emails emailaddress mailaddress e-mail_address email_address mail_address mails contact_address",
  rename: "label relabel entitle rebrand dub title|labelled named new_name new_title new_label",
  fromNow: "|henceforth from_here_on going_forward from_today_on from_today_onwards in_future in_the_future hereafter",
  save: "bookmark",
  request: "|submission asked_for",
  approve: "greenlight green-light|no_objections",
  deny: "veto",
  withdraw: "disregard|obsolete superseded moot ignore_this ignore_that false_alarm changed_my_mind",
  undo: "walk_back|put_it_back take_it_back back_to_what_it_was back_to_how_it_was",
} as const satisfies Readonly<Record<string, string>>;

/** What words mean in the thread of a request that waits, and nowhere else. `okay`: it may only say that somebody has read it. */
export const requestWords = {
  approve:
    "wave_through|no_problem no_issue no_issues no_objections_from_me no_objection_from_me i_have_no_objections i_have_no_objection " +
    "no_concerns good_to_go do_it just_do_it go_for_it make_it_so all_clear ok_go okay_go yes_please yeah yess yup aye ship_it " +
    "sounds_good sounds_good_to_me looks_good looks_good_to_me looks_fine looks_ok looks_okay i'm_fine_with im_fine_with i'm_ok_with " +
    "im_ok_with i_am_fine_with i'm_okay_with i_am_ok_with fine_from_me fine_from_my_side fine_for_me good_with_me good_for_me good_by_me " +
    "works_for_me okay_with_me ok_with_me okay_by_me okay_for_me you_have_my_ok you_have_my_okay all_good all_fine",
  okay: "|ok okay okey fine good great perfect alright 👍 ✅ 👌 :+1 :thumbsup :white_check_mark :heavy_check_mark :ok_hand",
  deny: "turn_it_down disapprove|👎 :-1 :thumbsdown no_way no_chance absolutely_not not_happening a_no it's_a_no that's_a_no thats_a_no no_from_me",
  withdraw:
    "bin trash ditch|bin_it bin_this drop_it drop_this forget_this forget_that taking_it_back pull_it pull_this no_longer_relevant " +
    "no_longer_needed not_needed not_needed_anymore not_needed_any_more no_longer_necessary not_necessary don't_need_it don't_need_this " +
    "dont_need_it dont_need_this don't_need_it_anymore solved sorted turned_up no_need_anymore",
} as const satisfies Readonly<Record<string, string>>;
