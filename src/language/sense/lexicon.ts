/**
 * What a word of a line may stand for, apart from names and times. Verbs in their base form (their inflections follow), then after `|`
 * other words as they are; `_` stands for a blank. A new wording is a word here.
 */
const words = {
  // What is done to machines.
  keep: "keep leave stay remain hold retain maintain exclude exempt preserve hog occupy grab claim snag book reserve sit_on hold_on_to hang_on_to hang_onto hold_onto|kept left held exception exceptions exclusion exclusions excluded exempted booked reserved reservation reservations booking pinned pin window spared bookings holds overtime hoggin running_extra up_extra on_extra running_late running_overtime past_its_hours past_their_hours off_schedule out_of_schedule",
  exempt: "exclude exempt spare|excluded exempted",
  up: "survive outlive|up on running run alive awake online available reachable usable live runing runnin working nonstop non-stop continuously uninterrupted straight without_a_break without_break without_interruption without_a_pause day_and_night night_and_day round_the_clock around_the_clock 24/7 all_the_time powered_on powered_up continuous uninterruptedly without_interruptions without_pause without_stopping",
  off: "|off down offline asleep stopped dark inaccessible unavailable lights_out lights-out to_bed to_sleep powered-off",
  alone: "|alone untouched as-is as_is as_it_is as_they_are",
  go: "go turn switch power bring take come get spin fall put flip|went gone going goes came drop_off",
  stop: "stop halt shutdown terminate sleep shut_down shut park die kill power_off hibernate snooze shut_off nod_off doze_off close_down wind_down knock_off fall_asleep pull_the_plug drop_dead|shutdowns outage stopp slept shut-off fell_asleep",
  start:
    "start boot launch wake start_up wake_up fire_up boot_up come_back_up|startup starts begins stard woke woken woke_up wakeup",
  run: "run happen execute occur|ran scheduled due planned coming upcoming takes_place take_place took_place taking_place",
  prevent: "prevent avoid block pause postpone delay suspend hold_off refrain stall hold_back forbid|without",
  work: "work",
  need: "need require want use|must needs gotta has_to have_to ought wanna would_love i'd_love id_love we'd_love 'd_love could_do_with could_use necessary essential",
  anymore: "|no_more do_without go_without anymore any_more any_longer no_longer unneeded any_further",
  end: "end finish drop remove delete cancel quit close lift clear unexclude kill discard free abort ditch scrap bin cease call_off axe chuck let_go_of throw_out throw_away wrap_up discontinue|ended back_to_normal follow_the_schedule normal_times normal_again back_on_its_schedule back_on_schedule back_to_its_schedule back_to_schedule back_to_its_normal back_on_the_schedule back_under_normal cancelled canceled back_to_the_schedule back_to_usual back_to_the_usual back_to_normal_hours back_to_regular back_to_its_usual back_to_the_normal",
  cancel: "drop cancel scrap ditch bin axe call_off|cancelled canceled",
  also: "|as_well likewise alongside",
  same: "|same_again same_hours same_hrs same_times same_time again_tomorrow",
  done: "|enough done finished through over thru ready trough wrapped_up complete completed wrapped finished_with done_with through_with all_done all_set sorted over_with",
  extend:
    "extend prolong prolongate lengthen push_back stretch add stretch_out drag_out push_out elongate top_up|another more extra longer länger extension additional on_top prolongation go_on goes_on carry_on carries_on",
  shorten:
    "shorten cut reduce bring_forward cut_short cut_back trim truncate curtail pull_forward prepone|shorter less earlier sooner not_beyond no_later_than not_later_than no_longer_than not_longer_than not_past not_after",
  move: "move change make set reschedule edit update adjust shift correct amend tweak bump alter modify",
  instead: "|instead rather",
  skip: "skip jump suppress fall_out leave_out omit miss_out skip_over sit_out pass_over give_a_miss|leave_it_out",
  before: "|before ahead prior in_advance beforehand ahead_of",
  fromNow:
    "|from_now_on from_now from_today_on henceforth going_forward as_of_now from_now_onwards from_here_on from_today_onwards in_future in_the_future hereafter",
  once: "|once one-time one_time the_1_time 1_time only_once",
  series: "repeat|series recurring recurrence weekly daily every each",
  each: "|daily every each",
  slot: "|slot slots",
  warn: "warn notify alert remind ping inform intimate tell shout nudge poke buzz holler flag_up|reminder heads-up heads_up headsup intimation intimations warning warnings alerts reminders nudge let_me_know let_us_know beep remember_me shout alarm notification notifications message_me page_me wake_me text_me ring_me write_me write_to_me drop_me_a_line lmk lemme_know send_me_a_message send_me_a_reminder send_me_a_note send_me_a_warning send_a_reminder drop_me_a_message give_me_a_sign",
  mute: "mute unsubscribe silence unwarn nag annoy pester spam shush hush|bugging bug_me bugs_me",
  // What is done to accounts.
  disable:
    "disable deactivate block suspend lock ban freeze inactivate boot_out kick_out lock_down cut_off bar blacklist close_off|disabled blocked inactive deactivation barred banned lock_out shut_out kick_out throw_out suspension de-activate",
  enable:
    "enable reactivate re-enable unblock reinstate activate unsuspend re-activate unfreeze unban let_back_in bring_back revive reopen re-open re-instate undisable un-suspend un-block|enabled active unblocked reactivation reopen restore_access reenable reenabled let_in let_back_in unsuspended",
  unlock:
    "unlock lose misplace|lost stolen broke broken stole locked_out lock_out locked-out lockout bricked smashed cracked",
  phone:
    "|phone mobile iphone smartphone handset cell device handy authenticator_app phones android yubikey authy devices fone handsets smartphones cellphone",
  login:
    "login signin log_in sign_in log_on sign_on authenticate log_into sign_into get_in get_back_in log_back_in|logging_in access logins logon log_me_in log_me_into log_us_in log_him_in log_her_in sign-on sign-in log-in",
  mfa: "|mfa 2fa double_authentication double_authentification two-step_authentication otp authenticator token two-factor two_factor multi-factor multifactor second_factor totp factor 2-factor 2-step two-step two_step 2step second-factor 2nd_factor authentication factors second_factors tokens authenticators 2fas mfas otps two-step_verification two-factor_authentication auth_app google_auth google_authenticator security_key otp_app authentication_app",
  reset: "reset wipe strip clear get_rid_of erase unregister unenroll unenrol|off away rid removal removals",
  account: "|account accounts user login profile logins profiles acct acc accts accs acount accont",
  offboard:
    "offboard quit resign retire fire terminate off-board|offboarding leaver departure leaves leaving_us leaving_the_company left_the_company left_us fired resigned departed leaver_routine last_working_day last_day_is is_leaving is_leaving_us is_leaving_the_company left_for_good gone_for_good leaver_process leaver_procedure leaver_checklist leaver_stuff leaver_steps leavers_process leaver's_process leaving_process offboarding_process offboarding_procedure offboarding_steps exit_process exit_procedure off-boarding no_longer_with_us no_longer_works_here doesn't_work_here_anymore doesn't_work_here_any_more does_not_work_here_anymore does_not_work_here_any_more",
  policy: "|policy policies permission permissions rights role roles privilege privileges",
  detach:
    "detach revoke take_away take_off unassign strip pull unattach come_off unlink disassociate|take off away detachment off_of",
  email:
    "|email e-mail mail adress address mailbox addr e-mail-address mails emails emailaddress mailaddress e-mail_address email_address mail_address contact_address",
  rename:
    "rename call name retitle relabel label rebrand title entitle dub|called renamed rename title labelled labeled named titled new_name new_title new_label",
  project: "|project projects",
  // What waits, and what was done.
  approve:
    "approve accept grant confirm greenlight green-light rubber-stamp sign_off nod_through wave_through|approved lgtm fine_by_me alright_by_me no_objection ok_from_my_side go_ahead fine_with_me ok_for_me yes yep sure agreed okay_from_me go_on ok_by_me +1 granted go_for_it you_have_my_ok thumbs_up give_the_ok no_objections",
  deny: "deny reject decline refuse turn_down veto dismiss shoot_down knock_back|denied rejected vetoes",
  no: "|no nope nah",
  withdraw:
    "withdraw retract call_off disregard|forget forget_it never_mind nevermind scrap_that forget_about_it scrap cancel_my_request forget_about no_need ignore_that changed_my_mind obsolete superseded moot ignore_this false_alarm",
  undo: "undo revert roll_back put_back take_back change_back rename_back reverse walk_back|rollback undone old_name previous_name former_name put_it_back take_it_back rückgängig back_to_what_it_was back_to_how_it_was",
  request:
    "request file|requested asked petition requests approval approvals pending submitted req reqs asks submission asked_for",
  wait: "pend hang|waiting waits waited pending open outstanding hanging queue unanswered unapproved in_the_queue queued in_limbo",
  // What is asked.
  list: "list show display see find view explain summarise summarize enumerate|overview whole_list full_list summary rundown listing gimme_all list_of roster catalogue directory inventory",
  all: "|all both every_single every_one",
  everything: "|everything last_two last_three last_few the_lot whatever the_works",
  status: "check look|status state situation info details news",
  change:
    "change modify happen touch alter edit fiddle tinker meddle mess_with tamper|changes changed history log audit activity did done happened going_on new different edits changelog change_log audit_trail fiddled_with tinkered touched audits trail logs timeline drift drifted diff recap journal logbook records on_record shaved edited altered edit_history been_up_to up_to_lately gotten_up_to",
  when: "|when what_time when's at_what_time what_hour at_which_time which_time at_what_hour on_what_date what_date what_day which_day eta how_soon whens",
  next: "|next upcoming coming",
  why: "|why reason how_come because_of_what what_for how_so for_what wherefore for_what_reason on_what_grounds why's how's_it_come what_made explanation explain",
  who: "|whom_do_i_ask who_do_i_ask whom_should_i_ask who_should_i_ask whom_can_i_ask who_can_i_ask whom_to_ask who_to_ask whom_must_i_ask who who's whose whom anyone anybody whos whoever any1 anyone_else anybody_else who_else which_colleagues which_people whomever author authors",
  what: "|what wat what's which anything something things whats any wots wut whats_the what're anythin",
  howLong:
    "|how_long until_when till_when since_when how_much_longer for_how_long up_to_when up_until_when how_much_time till_what_time until_what_time up_to_what_time since_what_time how_long_for how_many_days how_many_weeks how_long_before how_long_b4 what_hour what's_left time_left since_which_day",
  howMuch: "|how_much how_many how_often how_frequently count number_of",
  budget:
    "|budget hours limit limits allowance over_budget quota cap ceiling maximum max mark hrs 40h 40_hours 40_hour forty_hours forty_hrs 40_hrs 40hrs hours_left weekly_hours",
  holiday:
    "|holiday holidays calendar a_day_off next_day_off the_next_day_off day_off days_off bank_holiday public_holiday public_holidays bank_holidays feiertag feiertage founders'_day founders_day closed_days day_free free_day free_days off_day off_days non-working_day non-working_days working_day_or_not a_free_one",
  allowed:
    "allow permit|allowed permitted rights able permission permissions entitled authorised authorized perms perm privileges privilege the_right_to have_the_right authority have_to_say_yes has_to_say_yes have_to_approve has_to_approve must_approve would_i_be_allowed would_it_be_allowed need_approval needs_approval need_permission needs_permission eligible empowered whom_do_i_ask who_do_i_ask whom_should_i_ask who_should_i_ask whom_can_i_ask who_can_i_ask whom_to_ask who_to_ask whom_must_i_ask rules",
  mine: "|mine own my_name under_my_name on_my_name in_my_name to_my_name",
  // Nouns.
  action: "|action actions job jobs schedule schedules timetable timer timers timetables cron",
  group: "|group groups",
  machine:
    "|machine machines server servers box boxes instance instances vm vms host hosts node nodes computer computers rig rigs",
  save: "save remember store bundle group bookmark|together",
  backup: "backup back_up|backups saved snapshot snapshots snap snaps bkp bkps bkup",
  plan: "|plan plans",
  selector: "|selector selectors",
  user: "|users people accounts members everyone accts accs logins log-ins seats",
  credential: "|credential credentials key keys secret creds cred cloud_creds api_keys access_keys",
  who_am_i: "|whoami who_am_i",
  help: "help guide|commands examples what_can_you_do what_can_i_say how_does_this_work how_do_i_use_you how_do_you_work what_do_you_do what_are_you_for what_are_you_good_for what_are_you who_are_you your_purpose what_can_you_do_for_me what_can_u_do what_do_you_do_here what_else_can_you_do capabilities features what_can_i_ask what_can_i_ask_you how_to_use_you manual",
  budgetWarning: "|over_budget",
  // What cannot be done.
  restart:
    "restart reboot bounce power_cycle kick boot_again power-cycle|rebooted reboots restarted hard_reboot hard_reset",
  deploy: "deploy install upgrade patch redeploy ship roll_out push|deployment rollout",
  password: "|password passwort pwd passcode passphrase pasword passwords pw",
  create: "create add register spin_up provision onboard set_up invite sign_up hire|new create",
  newcomer: "|colleague employee starter joiner hire intern contractor teammate newcomer trainee newbie apprentice",
  resize:
    "resize scale enlarge upsize downsize|bigger smaller larger size cpu ram memory gb cores disk disc space instance_type",
  price:
    "pay purchase|spot price prices cost costs rate rates discount discounts cheaper expensive billing_rate bill invoice euros dollars reserved_instances",
  restore: "restore recover|recovery",
  ssh: "ssh rdp connect|terminal shell console",
  attach: "attach assign grant|put_on gave given",
  polite:
    "|over_and_over time_and_again again_and_again made_of made_up_of consisting_of consists_of containing comprising from_my_side from_our_side from_my_end by_mistake mistake by_accident accidentally mistakenly in_error do_the_needful make_sure be_sure see_to_it see_that can_you_take_care_of_it take_care_of_it take_care_of_that can_you_do_that can_you_do_this make_certain take_care_that for_free for_real thanks_in_advance thank_you_in_advance much_appreciated many_thanks thank_you_so_much no_rush no_worries no_hurry no_problem no_biggie best_regards kind_regards with_best_regards with_kind_regards by_the_way to_be_honest of_course for_sure as_planned as_agreed as_discussed with_immediate_effect effective_immediately as_soon_as_possible at_once straight_away this_very_minute this_very_moment this_minute this_moment this_second from_this_moment from_this_moment_on same_as_last_time as_last_time like_last_time same_as_yesterday like_yesterday have_a_nice_day have_a_good_day have_a_great_day which_means which_means_that that_means this_means meaning_that",
  // Only asked.
  decision:
    "sign countersign sign_off decide|signed signature signatures signoff sign-off desk inbox my_queue decision decisions to-do todo blessing oks okays",
  owned:
    "|my_name under_my_name on_my_name in_my_name do_i_have have_i_got i've_got_going i_got_going ive_got_going i_have_going i've_got_running am_i_holding do_i_hold i_hold i'm_holding my_things my_stuff my_bookings my_holds my_exceptions my_exclusions my_hold my_exception my_booking my_reservation my_reservations i_still_have",
  others: "|besides_me except_me apart_from_me other_than_me somebody_else someone_else other_people colleagues others",
  lacking: "lack miss|w/o without lacking missing",
  /** Nouns that ask by themselves. */
  record: "|history log logs audit audits audit_trail trail timeline drift journal changelog recap activity",
  eta: "|eta",
  timetable:
    "|timetable running_hours operating_hours office_hours normal_hours usual_hours schedule planned_hours uptime",
  // Made of several words (compose.ts).
  keepUp: "|",
  keepOff: "|",
  release:
    "unhold unkeep|release released let_go_of follow_its_schedule follow_its_normal_schedule follow_its_usual_schedule follow_their_schedule follow_their_normal_schedule follow_their_usual_schedule follow_the_normal_schedule",
  dontKeep: "|",
  turnOff: "|",
  turnOn: "|",
  lockedOut: "|",
  /** The last of what somebody did. */
  latest:
    "|last_change last_one last_thing last_action last_request last_command latest_change latest_one most_recent_change latest",
  unlocking: "unlock",
  okay: "|",
  wording: "|",
  // Of a time: it comes again; it counts from a run of the schedule.
  times: "|",
  ofRun: "|",
} as const satisfies Readonly<Record<string, string>>;

export type Sense = keyof typeof words;

/** What words mean in the thread of a request that waits, and nowhere else. `okay`: it may only say that somebody has read it. */
const requestWords = {
  approve:
    "wave_through|you_have_my_approval you_have_my_blessing you_have_my_permission it_has_my_approval no_problem no_issue no_issues passt genehmige genehmigt einverstanden freigegeben no_objections_from_me no_objection_from_me i_have_no_objections i_have_no_objection " +
    "no_concerns good_to_go do_it just_do_it go_for_it make_it_so all_clear ok_go okay_go yes_please yeah yess yup aye ship_it " +
    "sounds_good sounds_good_to_me looks_good looks_good_to_me looks_fine looks_ok looks_okay i'm_fine_with im_fine_with i'm_ok_with " +
    "im_ok_with i_am_fine_with i'm_okay_with i_am_ok_with fine_from_me fine_from_my_side fine_for_me good_with_me good_for_me good_by_me " +
    "works_for_me okay_with_me ok_with_me okay_by_me okay_for_me you_have_my_ok you_have_my_okay all_good all_fine",
  okay: "|ok okay okey fine good great perfect alright 👍 ✅ 👌 :+1 :thumbsup :white_check_mark :heavy_check_mark :ok_hand",
  deny: "turn_it_down disapprove|abgelehnt 👎 :-1 :thumbsdown no_way no_chance absolutely_not not_happening a_no it's_a_no that's_a_no thats_a_no no_from_me",
  withdraw:
    "bin trash ditch|bin_it bin_this drop_it drop_this forget_this forget_that taking_it_back pull_it pull_this no_longer_relevant " +
    "no_longer_needed not_needed not_needed_anymore not_needed_any_more no_longer_necessary not_necessary don't_need_it don't_need_this " +
    "dont_need_it dont_need_this don't_need_it_anymore solved sorted turned_up no_need_anymore",
} as const satisfies Readonly<Record<string, string>>;

/** Words that change nothing of what is asked for. */
const small = `
please pls plz plse kindly thanks thx ty cheers thank danke bitte hi hello hey hallo dear good morning afternoon evening day sorry sry excuse
the a an this that these those it its it's there here he she him her his they them their theirs you u your ur we us our ours i me my i'm
im i'd i'll i've ive ill id we're we'd we've we'll you're he's she's they're theyre that's thats there's theyd youd
is are am was were be been being isn't has have had having do does did doing will would can could may might shall let lets let's get gets
got getting make makes takes gonna going
and + & / w w/ plus also to of in at by with from for as so too then than about into onto over per via upto up-to
just now right away immediately asap quickly quick fast soon urgently urgent really actually simply only-please still already again back
ok okay well yeah hm hmm oh oops ah ups whoops btw fyi um erm alright
mr mrs ms mr.  itself themselves ich das
env environment environments system systems
database databases db dbs cluster stuff thing things ones one team's thingy
guys folks whole entire entirely complete completely completly straight abt only wrong correct proper rn posible inmediately beginning window under gimme lemme give gives giving lot lots hes shes time times o'clock sharp exactly bother late someone somebody sb smb should shoud shud gladly together_with
guys folks all-of-you curfew bot buddy mate team friend sir madam colleagues someone somebody pls,
fine plenty sufficient suffices early
possible kind able nice great little bit please? somehow
same like usual usually normal normally regular always ordinary
said say says saying tell ask asking wanted would-like like quick question
which who what how
yet therefore hence thus very quite pretty kinda sorta lol haha lmao tbh imo imho fwiw smh np omg ugh argh yay oi ta yo hiya heya howdy
moin servus hola merci gracias ciao welcome regards greetings best appreciated grateful thankful basically honestly obviously literally
certainly definitely absolutely indeed anyway anyways currently presently actual instantly promptly swiftly directly straightaway
immediate mind fleet farm tier pool stack setup fella pal dude sirs gents lads mates team-mate dearest happy glad lovely cool fab brilliant
awesome perfect super
`;

const inflected = (verb: string): readonly string[] => {
  const [first = "", ...particles] = verb.split("_");
  const stem = first.endsWith("e") ? first.slice(0, -1) : first;
  const doubled = /[^aeiou][aeiou][bgmnpt]$/.test(first) ? `${first}${first.at(-1)}` : stem;
  const isEndingY = /[^aeiou]y$/.test(first);
  const third = /(?:s|x|ch|sh)$/.test(first) ? `${first}es` : isEndingY ? `${first.slice(0, -1)}ies` : `${first}s`;
  const past = isEndingY ? `${first.slice(0, -1)}ied` : `${doubled}ed`;
  return [first, third, past, `${doubled}ing`].map((form) => [form, ...particles].join("_"));
};

export function isSense(name: string): name is Sense {
  return Object.hasOwn(words, name);
}

interface Entries {
  readonly senses: ReadonlyMap<string, ReadonlySet<Sense>>;
  /** The most words of one entry that begins with this word. */
  readonly longest: ReadonlyMap<string, number>;
}

interface Lexicon extends Entries {
  readonly small: ReadonlySet<string>;
  /** What words mean in the thread of a request only. */
  readonly onRequest: Entries;
}

let built: Lexicon | undefined;

/** Built when the first line is read. */
export function lexicon(): Lexicon {
  built ??= {
    ...entriesOf(words),
    small: new Set(small.trim().split(/\s+/)),
    onRequest: entriesOf(requestWords),
  };
  return built;
}

function entriesOf(list: Partial<Record<Sense, string>>): Entries {
  const senses = new Map<string, Set<Sense>>();
  const longest = new Map<string, number>();
  for (const sense of Object.keys(list).filter(isSense)) {
    const [verbs = "", others = ""] = (list[sense] ?? "").split("|");
    const forms = verbs.split(" ").filter(Boolean).flatMap(inflected);
    for (const each of [...forms, ...others.split(" ").filter(Boolean)]) {
      const said = each.replaceAll("_", " ");
      const [first = ""] = said.split(" ");
      senses.set(said, (senses.get(said) ?? new Set()).add(sense));
      longest.set(first, Math.max(longest.get(first) ?? 0, said.split(" ").length));
    }
  }
  return { senses, longest };
}

interface Found {
  readonly senses: ReadonlySet<Sense>;
  readonly length: number;
}

/** The senses of the longest entry that begins at this place, and how many words it has; undefined where none does. */
export function sensesAt(typed: readonly string[], at: number, isOnRequest = false): Found | undefined {
  const found = entryAt(lexicon(), typed, at);
  const own = isOnRequest ? entryAt(lexicon().onRequest, typed, at) : undefined;
  return own && own.length >= (found?.length ?? 0) ? own : found;
}

function entryAt({ senses, longest }: Entries, typed: readonly string[], at: number): Found | undefined {
  for (let length = longest.get(typed[at] ?? "") ?? 0; length > 0; length--) {
    const found = senses.get(length === 1 ? (typed[at] ?? "") : typed.slice(at, at + length).join(" "));
    if (found && at + length <= typed.length) return { senses: found, length };
    // "take it back"
    const apart = length === 2 && /^(?:it|that|this|them|these|those)$/.test(typed[at + 1] ?? "");
    const split = apart ? senses.get(`${typed[at]} ${typed[at + 2]}`) : undefined;
    if (split) return { senses: split, length: 3 };
  }
  return undefined;
}

export const isSmall = (word: string): boolean => lexicon().small.has(word);
