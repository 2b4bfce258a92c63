#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::HasSubstr;
using tools::Outcome;

// tools/cache at a free port, and `requests`, statements in Python that may say
// ask(METHOD, PATH, BODY) -> "STATUS body".
constexpr char kClient[] = R"py(
import hashlib, http.client, subprocess, sys
server = subprocess.Popen(["tools/cache", "--dir=" + sys.argv[1], "--listen=127.0.0.1:0"],
                          stdout=subprocess.PIPE, text=True)
try:
    url = server.stdout.readline().strip()
    assert url.startswith("cache: http://127.0.0.1:"), url
    def ask(method, path, body=None):
        client = http.client.HTTPConnection(url[len("cache: http://"):], timeout=30)
        client.request(method, path, body)
        answer = client.getresponse()
        return "%d %s" % (answer.status, answer.read().decode())
    key = hashlib.sha256(b"value").hexdigest()
    exec(sys.argv[2])
finally:
    server.kill()
)py";

class Cache : public testing::Test {
 protected:
  std::string Ask(const std::string& requests) {
    const Outcome outcome = tools::Run({"python3", "-c", kClient, folder_ / "cache", requests},
                                       {{"PATH", "/usr/bin:/bin"}});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }

  tools::Scratch folder_;
};

TEST_F(Cache, GivesBackWhatWasPut) {
  EXPECT_EQ(Ask("print(ask('GET', '/cas/' + key))\n"
                "print(ask('PUT', '/cas/' + key, b'value'))\n"
                "print(ask('GET', '/cas/' + key), ask('HEAD', '/cas/' + key))\n"
                "print(ask('GET', '/ac/' + key))\n"),
            "404 \n201 \n200 value 200 \n404 \n");
}

TEST_F(Cache, TakesForAKeyOfContentThatContentAlone) {
  EXPECT_EQ(Ask("print(ask('PUT', '/cas/' + key, b'other'), ask('GET', '/cas/' + key))\n"
                "ask('PUT', '/cas/' + key, b'value')\n"
                "print(ask('PUT', '/cas/' + key, b'other'), ask('GET', '/cas/' + key))\n"
                "print(ask('PUT', '/ac/' + key, b'other'))\n"),
            "400  404 \n400  200 value\n201 \n");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "cache/cas"))
    if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
  EXPECT_EQ(names.size(), 1u);
}

TEST_F(Cache, KeepsItAcrossStarts) {
  Ask("ask('PUT', '/ac/' + key, b'value')");
  EXPECT_EQ(Ask("print(ask('GET', '/ac/' + key))"), "200 value\n");
}

TEST_F(Cache, HasNoOtherFiles) {
  folder_.Write("cache/secret", "s");
  EXPECT_EQ(Ask("print(ask('GET', '/secret'), ask('GET', '/cas/../secret'))\n"
                "print(ask('PUT', '/cas/short', b'v'), ask('PUT', '/cas/../../x', b'v'))\n"),
            "404  404 \n403  403 \n");
}

TEST_F(Cache, KeepsNothingOfAnUploadThatWasCutShort) {
  EXPECT_EQ(Ask("import socket\n"
                "host, port = url[len('cache: http://'):].split(':')\n"
                "s = socket.create_connection((host, int(port)))\n"
                "s.sendall(b'PUT /cas/%b HTTP/1.1\\r\\nContent-Length: 9\\r\\n\\r\\nhalf' % "
                "key.encode())\n"
                "s.shutdown(socket.SHUT_WR)\n"
                "s.recv(100)\n"
                "print(ask('GET', '/cas/' + key))\n"),
            "404 \n");
}

TEST_F(Cache, RefusesWrongUsageInOneLine) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {}, {"--dir"}, {"--folder=x"}, {"--dir=x", "--listen=y"}, {"--dir=x", "--check"}}) {
    std::vector<std::string> command = {"tools/cache"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Outcome outcome = tools::Run(command, {{"PATH", "/usr/bin:/bin"}});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("usage: tools/cache"));
  }
}

}  // namespace
