#include "conformance/cli/runner.h"

#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string_view>
#include <utility>

#include "conformance/case/isa.h"
#include "conformance/case/printable.h"
#include "conformance/cli/complain.h"
#include "conformance/cli/demands.h"
#include "conformance/cli/lines.h"
#include "conformance/cli/pattern.h"
#include "conformance/cli/tasks.h"
#include "conformance/judge/isolate.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/schedule.h"
#include "conformance/judge/shared_state.h"
#include "conformance/report/document.h"
#include "conformance/report/files.h"
#include "conformance/report/json.h"
#include "conformance/report/junit.h"
#include "conformance/report/results.h"
#include "conformance/report/summary.h"
#include "conformance/reproduce/write.h"
#include "conformance/subject/facts.h"
#include "conformance/subject/loaded.h"
#include "conformance/verdict/claims.h"
#include "conformance/verdict/draft.h"
#include "conformance/verdict/expectations.h"
#include "conformance/verdict/judgement.h"
#include "conformance/verdict/verdict.h"

namespace conformance {
namespace {

using Clock = std::chrono::steady_clock;

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int Processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

// Bazel gives each shard of a test its share.
std::vector<Task> TakeShare(std::vector<Task> tasks, Results* results) {
  const std::string total = Environment("TEST_TOTAL_SHARDS");
  if (total.empty()) return tasks;
  if (std::FILE* const file = std::fopen(Environment("TEST_SHARD_STATUS_FILE").c_str(), "w"))
    std::fclose(file);
  results->shards = std::max(1, std::atoi(total.c_str()));
  results->shard = std::atoi(Environment("TEST_SHARD_INDEX").c_str());
  std::vector<Task> share;
  for (size_t i = 0; i < tasks.size(); ++i)
    if (static_cast<int>(i % static_cast<size_t>(results->shards)) == results->shard)
      share.push_back(std::move(tasks[i]));
  return share;
}

constexpr int64_t kLastIsa = static_cast<int64_t>(kBestIsa);

// What the subject says of itself, found out at a safe distance.
struct Facts {
  size_t engines = 0;
  Isa isa = Isa::kNone;
  std::string device;   // "" where it does not say
  std::string version;  // the same, of a plug-in
  std::string error;
};

Facts Probe(EngineChoice engine, const Limits& limits, SharedRunState* state) {
  Facts facts;
  state->Clear();
  const End end = Isolate(limits, state, [&](const Captured&) {
    try {
      state->results[0] = static_cast<int64_t>(CountEngines(engine));
      state->results[1] = static_cast<int64_t>(SubjectIsa());
      state->failures[0].expected.Set(SubjectDevice(engine));
      state->failures[1].expected.Set(LoadedVersion());
    } catch (const std::exception& e) {
      // Where the longest text finds room.
      state->failures[0].got.Set(e.what());
      state->failure_count = 1;
    }
  });
  facts.engines = static_cast<size_t>(std::max<int64_t>(0, state->results[0]));
  facts.isa = static_cast<Isa>(std::clamp<int64_t>(state->results[1], 0, kLastIsa));
  facts.device = state->failures[0].expected.Shown();
  facts.version = state->failures[1].expected.Shown();
  if (!end.finished()) facts.error = end.Describe();
  if (end.finished() && state->failure_count > 0) facts.error = state->failures[0].got.Shown();
  return facts;
}

// Writes to stdout as areas come to their end, and keeps a line about the rest on a terminal.
class Screen {
 public:
  explicit Screen(std::string subject)
      : subject_(std::move(subject)),
        style_{isatty(STDOUT_FILENO) != 0 && Environment("NO_COLOR").empty()},
        shows_progress_(isatty(STDERR_FILENO) != 0 && Environment("TERM") != "dumb"),
        begin_(Clock::now()) {}

  Style style() const { return style_; }

  void Print(const std::string& text) {
    Erase();
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }

  void Show(const Progress& progress) {
    if (!shows_progress_) return;
    winsize size = {};
    const int width =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col - 1 : 79;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    std::fprintf(stderr, "\r%s\033[K", ProgressLine(subject_, progress, seconds, width).c_str());
    shown_ = true;
  }

  void Erase() {
    if (shown_) std::fputs("\r\033[K", stderr);
    shown_ = false;
  }

 private:
  const std::string subject_;
  const Style style_;
  const bool shows_progress_;
  const Clock::time_point begin_;
  bool shown_ = false;
};

volatile std::sig_atomic_t g_interrupted = 0;

// Milliseconds; may be called from a signal handler.
int64_t Tick() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

// The first one ends the run with what there is, a second one the program. What interrupts a
// program and its group, as timeout(1) does, sends two at once: they are one.
void HearInterrupts() {
  static volatile int64_t first = 0;
  struct sigaction action = {};
  action.sa_handler = [](int number) {
    if (g_interrupted == 0) {
      first = Tick();
      g_interrupted = 1;
    } else if (Tick() - first > 300) {
      signal(number, SIG_DFL);
      raise(number);
    }
  };
  for (const int number : {SIGHUP, SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
}

// Judges tasks and hands out requirements, area by area, in order.
class Run {
 public:
  // `claims` may be null.
  Run(const Options& options, const std::vector<Task>& tasks,
      const std::vector<Expectation>& entries, const Claims* claims, Results* results,
      Screen* screen)
      : tasks_(tasks), entries_(entries), results_(*results), screen_(*screen) {
    for (size_t t = 0; t < tasks.size(); ++t) {
      outcomes_.emplace_back();
      waiting_.push_back(0);
      for (const Property* property : tasks[t].properties) {
        RunOptions run_options;
        if (claims != nullptr) {
          const spec::Requirement& requirement = property->requirement();
          const std::string outside = claims->Outside(results->engine, requirement,
                                                      property->name(), GuestTopicOf(*property));
          if (!outside.empty()) {
            outcomes_[t].push_back({property, {}, Verdict::kNotRun, outside});
            continue;
          }
        }
        ApplyClaims(claims, *property, &run_options);
        run_options.profile = results->profile;
        run_options.engine = results->engine;
        run_options.seed = options.seed;
        run_options.cases = options.cases;
        // The time of a requirement is shared by its properties.
        run_options.budget = options.budget / static_cast<int64_t>(tasks[t].properties.size());
        run_options.limits = LimitsOf(options, options.jobs);
        properties_.push_back(property);
        run_options_.push_back(run_options);
        task_of_.push_back(t);
        ++waiting_[t];
      }
    }
  }

  void Judge(int jobs) {
    Finish();
    Watcher watcher;
    watcher.ended = [this](size_t index, PropertyResult result) {
      const size_t task = task_of_[index];
      outcomes_[task].push_back(
          Decide(*properties_[index], std::move(result), run_options_[index]));
      --waiting_[task];
      Finish();
    };
    watcher.looked = [this](const Progress& progress) { screen_.Show(progress); };
    watcher.stop = [] { return g_interrupted != 0; };
    HearInterrupts();
    JudgeAll(properties_, run_options_, jobs, watcher);
    screen_.Erase();
    if (g_interrupted == 0) return;
    results_.partial = true;
    for (size_t t = 0; t < tasks_.size(); ++t) {
      if (waiting_[t] == 0) continue;
      waiting_[t] = 0;
      for (const Property* property : tasks_[t].properties) {
        const auto is_property = [property](const PropertyOutcome& outcome) {
          return outcome.property == property;
        };
        if (std::none_of(outcomes_[t].begin(), outcomes_[t].end(), is_property))
          outcomes_[t].push_back({property, {}, Verdict::kNotRun, "interrupted"});
      }
    }
    Finish();
  }

  // Instead of Judge: nothing can be run, and this is why.
  void Skip(const std::string& reason) {
    for (size_t t = 0; t < tasks_.size(); ++t) {
      outcomes_[t].clear();
      for (const Property* property : tasks_[t].properties)
        outcomes_[t].push_back({property, {}, Verdict::kNotRun, reason});
      waiting_[t] = 0;
    }
    Finish();
  }

 private:
  // Hands out every area that is complete and has none before it that is not.
  void Finish() {
    while (next_ < tasks_.size()) {
      const std::string_view area = AreaOf(*tasks_[next_].requirement);
      size_t end = next_;
      for (; end < tasks_.size() && AreaOf(*tasks_[end].requirement) == area; ++end)
        if (waiting_[end] > 0) return;
      Count count;
      for (; next_ < end; ++next_) {
        std::sort(outcomes_[next_].begin(), outcomes_[next_].end(),
                  [](const PropertyOutcome& a, const PropertyOutcome& b) {
                    return a.property->name() < b.property->name();
                  });
        for (std::string& problem : ApplyExpectations(entries_, results_.subject, results_.version,
                                                      Today(), &outcomes_[next_]))
          results_.problems.push_back(std::move(problem));
        RequirementOutcome merged = Merge(*tasks_[next_].requirement, std::move(outcomes_[next_]));
        merged.absent = merged.properties.empty() && SubjectLacks(merged.requirement->topic);
        if (merged.absent) merged.reason = "not in this subject";
        count.Add(merged);
        results_.requirements.push_back(std::move(merged));
      }
      screen_.Print(count.absent == count.total()
                        ? AbsentLine(TitleOfArea(area))
                        : TableLine(TitleOfArea(area), count, screen_.style()));
    }
  }

  const std::vector<Task>& tasks_;
  const std::vector<Expectation>& entries_;
  Results& results_;
  Screen& screen_;
  std::vector<const Property*> properties_;
  std::vector<RunOptions> run_options_;
  std::vector<size_t> task_of_;
  std::vector<size_t> waiting_;  // properties of each task that have not ended
  std::vector<std::vector<PropertyOutcome>> outcomes_;
  size_t next_ = 0;  // first task that was not handed out
};

// Reads the file of --claims, if it was given, to *claims. Returns what is wrong, or "".
std::string ReadClaims(const Options& options, const std::vector<const Property*>& properties,
                       std::optional<Claims>* claims) {
  if (options.claims.empty()) return "";
  std::string text;
  const std::string problem = ReadLines(options.claims, &text);
  if (!problem.empty()) return "--claims: " + problem;
  NamesByTopic names;
  for (size_t i = 0; i < spec::kRequirementCount; ++i)
    names[spec::kRequirements[i]->id] = spec::kRequirements[i]->topic;
  for (const Property* property : properties)
    names[property->name()] = property->requirement().topic;
  *claims = ParseClaims(text, options.claims, names);
  return (*claims)->error.empty() ? "" : "--claims: " + (*claims)->error;
}

// What the options mean here, to *results and *claims. Returns what is wrong with them, or "".
std::string Settle(const std::vector<const Property*>& properties, Options* options,
                   Results* results, std::optional<Claims>* claims) {
  if (std::string wrong = WrongSubjectName(options->subject); !wrong.empty()) return wrong;
  const bool single = !options->replay.empty() || !options->batch.empty();
  if (options->filter.empty() && !single) options->filter = Environment("TESTBRIDGE_TEST_ONLY");
  if (const Pattern pattern(options->filter); !pattern.error().empty())
    return "'" + options->filter + "' is no regular expression: " + pattern.error();
  if (options->jobs == 0) options->jobs = Processors();
  // Bazel keeps what a test leaves there, and shards are merged from it.
  if (options->out.empty() && !single) options->out = Environment("TEST_UNDECLARED_OUTPUTS_DIR");
  results->subject = options->subject;
  results->version = options->subject_version.empty() ? SubjectVersion() : options->subject_version;
  if (std::string unclear = ReadClaims(*options, properties, claims); !unclear.empty())
    return unclear;
  const Profile usual =
      *claims ? (*claims)->profile.value_or(Profile::kPortable) : Profile::kPortable;
  results->profile = options->profile.value_or(usual);
  results->engine = options->engine.value_or(EngineChoice::kCpu);
  results->request = *options;
  return "";
}

int SayHowManyEngines(const Results& results, SharedRunState* state) {
  const Facts facts = Probe(results.engine, DefaultLimits(1), state);
  if (!facts.error.empty()) return Complain(facts.error);
  std::printf("%zu\n", facts.engines);
  return 0;
}

// Reads the files of --expect, if any were given. Returns what is wrong with it, or "".
std::string ReadExpectations(const Options& options, const std::vector<const Property*>& properties,
                             Results* results, Expectations* expectations) {
  for (const std::string& file : options.expect) {
    std::string text;
    const std::string problem = ReadLines(file, &text);
    if (!problem.empty()) return "--expect: " + problem;
    *expectations = ParseExpectations(text, file, properties, std::move(expectations->entries));
    if (!expectations->error.empty()) return "--expect: " + expectations->error;
  }
  const std::string unmatched =
      OtherVersionsOnly(expectations->entries, results->subject, results->version);
  if (!unmatched.empty()) results->problems.push_back(unmatched);
  if (!expectations->entries.empty() && !AnyFor(expectations->entries, results->subject))
    std::fprintf(stderr, "conform: --expect: no entry of %s is for subject '%s'\n",
                 Printable(options.expect.back()).c_str(), Printable(results->subject).c_str());
  return "";
}

// Tells and saves what was found. What cannot be written ends nothing: the rest is told and saved,
// as far as there is room, and the first problem is returned; "" if there is none.
std::string Save(const Options& options, const std::optional<Claims>& claims, Screen* screen,
                 Results* results) {
  std::string problem;
  const auto note = [&problem](const char* what, const std::string& wrong) {
    if (problem.empty() && !wrong.empty()) problem = what + wrong;
  };
  if (const std::string folder = ProgramFolder(options); !folder.empty())
    note("--out: ", WriteReproducers(folder, results));
  std::string claims_text;
  if (claims) {
    results->claims = options.claims;
    results->judgements =
        JudgeClaims(*claims, results->engine, results->requirements, !options.filter.empty());
    claims_text = ClaimsText(*claims, results->engine, results->judgements) + "\n";
  }
  screen->Print("\n" + Details(*results, screen->style()) + claims_text +
                Totals(*results, screen->style()));

  const std::string json = ToJson(*results);
  if (!options.out.empty()) note("--out: ", WriteFile(options.out + "/results.json", json));
  if (const std::string xml = Environment("XML_OUTPUT_FILE"); !xml.empty())
    note("", WriteFile(xml, ToJunit(ParseDocument(json, "the results"))));
  if (!options.write_claims.empty())
    note("--write-claims: ",
         WriteFile(options.write_claims, DraftClaims(results->subject, results->engine,
                                                     results->profile, results->requirements)));
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    note("", "cannot write to standard output");
  return problem;
}

// The tasks of this process. Returns what is wrong, or "".
std::string MakePlan(const Options& options, const std::vector<const Property*>& properties,
                     Results* results, std::vector<Task>* tasks) {
  *tasks = TakeShare(ChooseTasks(properties, options), results);
  if (tasks->empty() && Environment("TEST_TOTAL_SHARDS").empty())
    return "nothing to run:" + CaseFlags(options) + " finds no requirement" +
           (options.topic.empty() ? "" : " (topics are " + TopicNames() + ")");
  if (options.list) return "";
  // A shard may have none of it.
  std::string wrong = WrongRequire(options, *tasks);
  return results->shards == 1 ? wrong : "";
}

// Takes over what the subject says of itself; what else has to be right before anything is judged.
// Returns what is wrong, or "".
std::string Prepare(const Options& options, const std::vector<const Property*>& properties,
                    const Facts& facts, Results* results, Expectations* expectations) {
  if (!facts.error.empty())
    return "subject '" + results->subject + "' cannot say which engines it has: " + facts.error;
  results->device = facts.device;
  if (options.subject_version.empty() && !facts.version.empty()) results->version = facts.version;
  if (std::string wrong = ReadExpectations(options, properties, results, expectations);
      !wrong.empty())
    return wrong;
  expectations->entries = OnesFor(facts.isa, std::move(expectations->entries));
  if (!options.write_claims.empty())
    if (const std::string taken = CheckNewFile(options.write_claims); !taken.empty())
      return "--write-claims: " + taken;
  if (options.out.empty()) return "";
  std::string problem = PrepareFolder(options.out);
  if (problem.empty()) problem = LockFolder(options.out);
  return problem.empty() ? "" : "--out: " + problem;
}

}  // namespace

int RunSuite(Options options, const std::vector<const Property*>& properties) {
  const Clock::time_point begin = Clock::now();
  // A file that may not grow is an error of writing, as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  Results results;
  results.date = DateText(std::time(nullptr));
  std::optional<Claims> claims;
  if (const std::string wrong = Settle(properties, &options, &results, &claims); !wrong.empty())
    return Complain(wrong);
  const Claims* const claimed = claims ? &*claims : nullptr;
  SharedRunState* const state = SharedRunState::Map();
  if (options.probe) return SayHowManyEngines(results, state);
  if (!options.replay.empty()) return AnswerCase(options, properties, claimed, results, state);
  if (!options.batch.empty()) return AnswerBatch(options, properties, claimed, results, state);
  if (!options.answers.empty()) return AnswerLines(options, properties, results, state);

  std::vector<Task> tasks;
  if (const std::string wrong = MakePlan(options, properties, &results, &tasks); !wrong.empty())
    return Complain(wrong);
  if (options.list) {
    std::fputs(TasksText(tasks).c_str(), stdout);
    return std::fflush(stdout) == 0 ? 0 : Complain("cannot write to standard output");
  }
  const Facts facts = Probe(results.engine, DefaultLimits(1), state);
  Expectations expectations;
  if (const std::string wrong = Prepare(options, properties, facts, &results, &expectations);
      !wrong.empty())
    return Complain(wrong);

  Screen screen(results.subject);
  screen.Print(Headline(results) + TableHead());
  Run run(options, tasks, expectations.entries, claimed, &results, &screen);
  if (facts.engines == 0) {
    run.Skip(std::string("no ") + NameOf(results.engine) + " engine");
  } else {
    run.Judge(options.jobs);
  }
  results.not_judged = NotJudged(options, claimed, results);
  results.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const std::string problem = Save(options, claims, &screen, &results);
  return problem.empty() ? ExitStatus(results) : Complain(problem);
}

}  // namespace conformance
