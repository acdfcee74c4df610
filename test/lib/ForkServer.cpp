//===- ForkServer.cpp - runs a tool many times for one start-up -----------===//
//
// A library for LD_PRELOAD. The tool is loaded and its static objects are made
// once; then each line on stdin is one run of its `main` in a forked process. A
// run costs about half of what a fresh process does, because a tool of LLVM's
// takes some 30 ms to load.
//
// A request is a line of fields with tabs between them: the file for stdout,
// the file for stderr, the seconds after which the run is ended, and the
// arguments. The answer is a line with the exit status, or minus the number of
// the signal: that of SIGALRM for a run that was ended.
//
//===----------------------------------------------------------------------===//

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using Main = int (*)(int, char **, char **);
using Start = int (*)(Main, int, char **, void (*)(), void (*)(), void (*)(),
                      void *);

static Main toolMain;

static void redirect(int descriptor, const char *path) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || dup2(file, descriptor) < 0)
    _exit(126);
  close(file);
}

[[noreturn]] static void runTool(std::vector<char *> fields, char *program,
                                 char **environment) {
  redirect(STDOUT_FILENO, fields[0]);
  redirect(STDERR_FILENO, fields[1]);
  // The run must not read the requests that follow.
  close(STDIN_FILENO);
  open("/dev/null", O_RDONLY);
  std::vector<char *> arguments(fields.begin() + 2, fields.end());
  arguments.front() = program;
  arguments.push_back(nullptr);
  exit(toolMain(int(arguments.size()) - 1, arguments.data(), environment));
}

/// The status of `child`, which is ended when its time is over. Its own alarm
/// would not do: what LLVM does after a crash takes alarms away, and may hang.
static int awaitEnd(pid_t child, const sigset_t &childEnds, int seconds) {
  int status = 0;
  timespec limit = {seconds, 0};
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (sigtimedwait(&childEnds, nullptr, &limit) >= 0 || errno == EINTR)
      continue;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return -SIGALRM;
  }
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/// Stands in for the tool's `main`. Errors: status 2 at a line that is no
/// request.
static int serve(int, char **argv, char **environment) {
  char *line = nullptr;
  size_t room = 0;
  sigset_t childEnds, before;
  sigemptyset(&childEnds);
  sigaddset(&childEnds, SIGCHLD);
  sigprocmask(SIG_BLOCK, &childEnds, &before);
  while (getline(&line, &room, stdin) > 0) {
    line[std::strcspn(line, "\n")] = 0;
    std::vector<char *> fields;
    for (char *rest = line; rest;)
      fields.push_back(strsep(&rest, "\t"));
    if (fields.size() < 3)
      return 2;
    pid_t child = fork();
    if (child < 0)
      return 1;
    if (child == 0) {
      sigprocmask(SIG_SETMASK, &before, nullptr);
      runTool(fields, argv[0], environment);
    }
    std::printf("%d\n", awaitEnd(child, childEnds, std::atoi(fields[2])));
    std::fflush(stdout);
  }
  std::free(line);
  return 0;
}

/// The C library calls this once before `main` (System V ABI, "Process
/// Initialization"); ours hands on another `main`.
extern "C" int __libc_start_main(Main main, int argc, char **argv,
                                 void (*init)(), void (*finish)(),
                                 void (*loaderFinish)(), void *stackEnd) {
  auto next = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  toolMain = main;
  // What the tool starts itself is an ordinary process.
  unsetenv("LD_PRELOAD");
  return next(serve, argc, argv, init, finish, loaderFinish, stackEnd);
}
