/** More words of questions, by their sense, written as in `lexicon.ts`. */
export const askingWords = {
  help: "|what_are_you_for what_are_you_good_for what_are_you who_are_you your_purpose what_can_you_do_for_me what_can_u_do what_do_you_do_here what_else_can_you_do capabilities features what_can_i_ask what_can_i_ask_you how_to_use_you manual",
  // What waits, and what was done.
  decision:
    "sign countersign sign_off decide|signed signature signatures signoff sign-off desk inbox my_queue decision decisions to-do todo blessing",
  request: "|req reqs asks",
  change:
    "fiddle tinker tamper meddle mess_with|fiddled_with tinkered touched audits audit_trail trail logs timeline drift drifted diff recap changelog journal logbook records on_record shaved edited edits altered edit_history been_up_to up_to_lately gotten_up_to",
  howLong:
    "|till_what_time until_what_time up_to_what_time since_what_time how_long_for how_long_before how_long_b4 what_hour for_how_long what's_left time_left since_which_day",
  who: "|whos whoever any1 anyone_else anybody_else who_else which_colleagues which_people whomever author authors",
  when: "|eta at_what_time at_which_time what_hour at_what_hour which_day what_day how_soon whens",
  why: "|why's how's_it_come what_made explanation explain",
  what: "|wots wut whats_the what're anythin",
  mfa: "|second_factors factors tokens authenticators 2fas mfas otps",
  list: "|gimme_all list_of roster catalogue directory inventory",
  howMuch: "|how_often count number_of",
  allowed:
    "|perms perm privileges privilege the_right_to have_the_right authority authorised authorized have_to_say_yes has_to_say_yes have_to_approve has_to_approve must_approve would_i_be_allowed would_it_be_allowed need_approval needs_approval need_permission needs_permission eligible empowered",
  account: "|acct acc",
  user: "|accts accs logins log-ins seats",
  holiday: "|feiertag feiertage founders'_day founders_day closed_days public_holiday public_holidays bank_holidays",
  budget: "|forty_hours forty_hrs 40_hrs 40hrs hours_left weekly_hours",
  keep: "hog occupy|hoggin past_its_hours past_their_hours overtime off_schedule out_of_schedule",
  backup: "|snap snaps bkp bkps bkup",
  credential: "|cloud_creds api_keys access_keys",
  mine: "|my_name under_my_name on_my_name in_my_name to_my_name",
  owned:
    "|my_name under_my_name on_my_name in_my_name do_i_have have_i_got i've_got_going i_got_going ive_got_going i_have_going i've_got_running am_i_holding do_i_hold i_hold i'm_holding my_things my_stuff my_bookings my_holds my_exceptions my_exclusions my_hold my_exception my_booking my_reservation my_reservations i_still_have",
  others: "|besides_me except_me apart_from_me other_than_me somebody_else someone_else other_people colleagues others",
  lacking: "lack miss|w/o without lacking missing",
  /** Nouns that ask by themselves. */
  record: "|history log logs audit audits audit_trail trail timeline drift journal changelog recap activity",
  eta: "|eta",
  login: "|log_me_in log_me_into log_us_in log_him_in log_her_in",
  timetable:
    "|timetable running_hours operating_hours office_hours normal_hours usual_hours schedule planned_hours uptime",
} as const satisfies Readonly<Record<string, string>>;
