//===- BadInput.cpp - what do passes do with broken programs? -------------===//
//
// Changes programs at random, by tokens and by bytes, and runs pipelines over
// what still parses. A program may be refused; the process may not crash, hang
// or be stopped by a sanitizer, and nothing may call an error internal. Changed
// programs are run in processes of their own, many in each; one that ends its
// process is named, kept, and the others go on without it. A crash of
// upstream's parser is told by its stack, and counted apart.
//
//   bad-input SEED.mlir... --count=N [--first=N] [--seed=N] [--keep=DIR]
//             [--pipeline=TEXT]... [--seconds=N]
//
//===----------------------------------------------------------------------===//

#include "pebble/InitAll.h"

#include "mlir/IR/Verifier.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"

#include <cstdio>
#include <random>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
namespace cl = llvm::cl;

static cl::list<std::string> seedFiles(cl::Positional, cl::OneOrMore,
                                       cl::desc("SEED.mlir..."));
static cl::opt<unsigned> count("count", cl::init(100),
                               cl::desc("Changed programs"));
static cl::opt<unsigned>
    first("first", cl::init(0),
          cl::desc("The first of them: what a process did before one died"));
static cl::opt<unsigned> seed("seed", cl::init(0), cl::desc("Of the changes"));
static cl::list<std::string> pipelines("pipeline", cl::OneOrMore,
                                       cl::desc("Run over each of them"));
static cl::opt<std::string> keep("keep", cl::desc("Directory for failures"));
static cl::opt<unsigned> seconds("seconds", cl::init(20),
                                 cl::desc("That one program may take"));

/// Programs in one process: it costs as much as a few of them to start one.
static constexpr unsigned kBatch = 64;

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

using Random = std::mt19937_64;

static size_t draw(Random &random, size_t end) {
  return end ? random() % end : 0;
}

/// Words, numbers, strings, signs and the space between them: in sum the text.
static std::vector<std::string> split(StringRef text) {
  std::vector<std::string> tokens;
  auto isWord = [](char c) {
    return llvm::isAlnum(c) || StringRef("_.$%@#!-").contains(c);
  };
  while (!text.empty()) {
    StringRef token;
    if (text.starts_with("//"))
      token = text.take_until([](char c) { return c == '\n'; });
    else if (llvm::isSpace(text.front()))
      token = text.take_while([](char c) { return llvm::isSpace(c); });
    else if (isWord(text.front()))
      token = text.take_while(isWord);
    else
      token = text.take_front(1);
    tokens.push_back(token.str());
    text = text.drop_front(token.size());
  }
  return tokens;
}

/// What is seldom written, and valid in many places.
static constexpr StringLiteral kWords[] = {"0",
                                           "1",
                                           "-1",
                                           "2",
                                           "7",
                                           "9223372036854775807",
                                           "-9223372036854775808",
                                           "4294967296",
                                           "1000000007",
                                           "?",
                                           "i1",
                                           "i4",
                                           "i64",
                                           "index",
                                           "f16",
                                           "bf16",
                                           "f64",
                                           "complex<f32>",
                                           "none",
                                           "tensor<0xf32>",
                                           "tensor<?xf32>",
                                           "tensor<*xf32>",
                                           "tensor<f32>",
                                           "memref<4xf32>",
                                           "vector<4xf32>",
                                           "dense<0>",
                                           "unit",
                                           "true",
                                           "\"\"",
                                           "@main",
                                           "[]",
                                           "{}",
                                           "()",
                                           "<",
                                           ">",
                                           "0.0",
                                           "0x7FC00000",
                                           "strided<[-1], offset: 3>"};

/// Whether something is written there.
static bool isText(StringRef token) {
  return !token.empty() && !llvm::isSpace(token.front()) &&
         !token.starts_with("//");
}

static std::string changeTokens(StringRef text, Random &random) {
  std::vector<std::string> tokens = split(text);
  std::vector<size_t> places;
  for (size_t i = 0; i < tokens.size(); ++i)
    if (isText(tokens[i]))
      places.push_back(i);
  if (places.empty())
    return text.str();
  auto any = [&]() -> std::string & {
    return tokens[places[draw(random, places.size())]];
  };
  // A token of the same kind: what results parses more often.
  auto anyLike = [&](const std::string &token) {
    for (int tries = 0; tries < 50; ++tries)
      if (const std::string &other = any();
          other.front() == token.front() && other != token)
        return other;
    return token;
  };
  for (size_t n = 1 + draw(random, 3); n-- > 0;) {
    std::string &token = any();
    if (token.empty())
      continue;
    switch (draw(random, 8)) {
    case 0:
      token = kWords[draw(random, std::size(kWords))].str();
      break;
    case 1:
      token.clear();
      break;
    case 2:
      token += " " + token;
      break;
    case 3:
      std::swap(token, any());
      break;
    default:
      if (llvm::isDigit(token.front()))
        token = kWords[draw(random, 10)].str();
      else
        token = anyLike(token);
    }
  }
  return llvm::join(tokens, "");
}

/// Doubles, leaves out or moves a line, which is often an operation.
static std::string changeLines(StringRef text, Random &random) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (size_t n = 1 + draw(random, 2); n-- > 0 && lines.size() > 1;) {
    size_t from = draw(random, lines.size());
    StringRef line = lines[from];
    if (draw(random, 3))
      lines.erase(lines.begin() + static_cast<ptrdiff_t>(from));
    if (draw(random, 3))
      lines.insert(lines.begin() +
                       static_cast<ptrdiff_t>(draw(random, lines.size())),
                   line);
  }
  return llvm::join(lines, "\n");
}

static std::string changeBytes(StringRef text, Random &random) {
  std::string bytes = text.str();
  for (size_t n = 1 + draw(random, 4); n-- > 0 && !bytes.empty();) {
    size_t at = draw(random, bytes.size());
    switch (draw(random, 3)) {
    case 0:
      bytes[at] = static_cast<char>(draw(random, 256));
      break;
    case 1:
      bytes.erase(at, 1 + draw(random, 8));
      break;
    default:
      bytes.insert(
          at, bytes.substr(draw(random, bytes.size()), 1 + draw(random, 16)));
    }
  }
  return bytes;
}

static std::string change(StringRef text, Random &random) {
  switch (draw(random, 10)) {
  case 0:
    return changeBytes(text, random);
  case 1:
  case 2:
  case 3:
    return changeLines(text, random);
  case 4:
    return changeTokens(changeLines(text, random), random);
  default:
    return changeTokens(text, random);
  }
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {
/// What a child tells of itself, also when it dies.
struct Progress {
  unsigned next;   ///< the program that it is at
  unsigned parsed; ///< how many were programs
  unsigned pipeline;
  unsigned passed; ///< pipelines that a program went through
};
} // namespace

static std::vector<std::string> seeds;

/// The program number `i`: the same for the same options.
static std::string makeProgram(unsigned i) {
  Random random((uint64_t(seed) << 32) + i);
  return change(seeds[draw(random, seeds.size())], random);
}

/// Runs all pipelines over program `i`; ends the process at an internal error.
static void runProgram(unsigned i, MLIRContext &context, Progress &progress) {
  std::string text = makeProgram(i);
  progress.pipeline = pipelines.size(); // none yet
  bool isInternal = false;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    isInternal |= StringRef(diagnostic.str()).contains("internal error");
    return success();
  });
  ParserConfig config(&context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, config);
  if (!module)
    return;
  ++progress.parsed;
  progress.pipeline = 0;
  for (const std::string &pipeline : pipelines) {
    OwningOpRef<ModuleOp> clone = module->clone();
    PassManager passes(&context);
    if (failed(parsePassPipeline(pipeline, passes)))
      _exit(98);
    if (succeeded(passes.run(*clone)))
      ++progress.passed;
    if (isInternal)
      _exit(99);
    ++progress.pipeline;
  }
}

static void runBatch(unsigned first, unsigned end, Progress &progress) {
  DialectRegistry registry;
  pebble::registerUpstream(registry);
  pebble::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  for (unsigned i = first; i < end; ++i) {
    progress.next = i;
    alarm(seconds);
    runProgram(i, context, progress);
  }
  progress.next = end;
}

static std::string describe(int status) {
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM
               ? "a hang"
               : "signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == 99)
    return "an internal error";
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

/// Whether the stack that a process left behind is one of upstream's parser:
/// from the crash to the parser's entry there is code of its libraries alone.
static bool isUpstreams(StringRef stack) {
  SmallVector<StringRef> lines;
  stack.split(lines, '\n');
  for (StringRef line : lines) {
    if (!line.ltrim().starts_with("#"))
      continue;
    auto has = [&](StringRef word) { return line.contains(word); };
    if (has("parseAsmSourceFile"))
      return true;
    if (llvm::none_of(ArrayRef<StringRef>{"/libMLIR", "/libLLVM", "/libc.so",
                                          "/libstdc++", "__asan", "__ubsan",
                                          "__sanitizer", "__interceptor"},
                      has))
      return false;
  }
  return false;
}

/// Keeps the program that ended its process, and says how.
static void report(unsigned i, const Progress &progress, int status,
                   StringRef stack) {
  StringRef pipeline = progress.pipeline < pipelines.size()
                           ? StringRef(pipelines[progress.pipeline])
                           : StringRef("parser");
  llvm::outs() << "program " << i << ": " << describe(status) << " in '"
               << pipeline << "'"
               << (isUpstreams(stack) ? ", upstream's\n" : "\n");
  if (keep.empty())
    return;
  std::error_code error;
  llvm::raw_fd_ostream os(keep + "/" + std::to_string(seed) + "-" +
                              std::to_string(i) + ".mlir",
                          error);
  os << "// " << describe(status) << ": --pass-pipeline='builtin.module("
     << pipeline << ")'\n"
     << makeProgram(i);
  llvm::raw_fd_ostream(keep + "/" + std::to_string(seed) + "-" +
                           std::to_string(i) + ".stack",
                       error)
      << stack;
}

/// Reads all that stands in a file, and empties it.
static std::string takeText(int file) {
  std::string text;
  char buffer[4096];
  lseek(file, 0, SEEK_SET);
  for (ssize_t size; (size = read(file, buffer, sizeof(buffer))) > 0;)
    text.append(buffer, size);
  if (ftruncate(file, 0) == 0)
    lseek(file, 0, SEEK_SET);
  return text;
}

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  pebble::registerAllPasses();
  cl::ParseCommandLineOptions(argc, argv, "Changes programs and runs passes\n");
  for (const std::string &file : seedFiles) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) {
      llvm::errs() << "cannot read " << file << "\n";
      return 1;
    }
    SmallVector<StringRef> parts;
    (*buffer)->getBuffer().split(parts, "// -----");
    for (StringRef part : parts)
      seeds.push_back(part.str());
  }
  if (!keep.empty())
    llvm::sys::fs::create_directories(keep);
  auto *progress = static_cast<Progress *>(
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  *progress = {};
  int stackFile = fileno(std::tmpfile());
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  unsigned failures = 0, upstreams = 0;
  for (unsigned next = first; next < count;) {
    unsigned end = std::min(next + kBatch, count.getValue());
    llvm::outs().flush();
    pid_t child = fork();
    if (child == 0) {
      int nowhere = open("/dev/null", O_WRONLY);
      dup2(nowhere, STDOUT_FILENO);
      dup2(stackFile, STDERR_FILENO);
      runBatch(next, end, *progress);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    std::string stack = takeText(stackFile);
    if (progress->next < end) {
      ++(isUpstreams(stack) ? upstreams : failures);
      report(progress->next, *progress, status, stack);
      next = progress->next + 1;
      continue;
    }
    next = end;
  }
  llvm::outs() << count - std::min(first.getValue(), count.getValue())
               << " changed programs, " << progress->parsed
               << " of them programs still, " << progress->passed
               << " pipelines passed, " << failures << " failures";
  if (upstreams)
    llvm::outs() << ", " << upstreams << " crashes of upstream";
  llvm::outs() << "\n";
  return failures != 0;
}
