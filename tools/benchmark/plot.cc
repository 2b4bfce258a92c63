// One line for each case: a dot for ours, one for stock oneDNN, on a scale that ends at the copy.

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <string>

#include "tools/benchmark/results.h"

namespace bench {
namespace {

// Pixels.
constexpr int kWidth = 1060, kTop = 118, kRow = 17, kHeading = 30, kBottom = 24;
constexpr int kLabel = 380;                // where labels end
constexpr int kLeft = 396, kRight = 880;   // the scale
constexpr int kRate = 950, kRatio = 1030;  // where the numbers on the right end
constexpr double kFull = 1.1;              // what the right end of the scale stands for

constexpr const char* kStyle =
    "text{font:12px system-ui,sans-serif;fill:#333}"
    ".t{font-size:19px;font-weight:600;fill:#111}.s{fill:#555}"
    ".h{font-weight:600;fill:#111}.r{text-anchor:end}.m{text-anchor:middle;fill:#777}"
    ".g{stroke:#e6e6e6}.f{stroke:#999;stroke-dasharray:4 3}"
    ".l{stroke:#c9d6e6;stroke-width:3}.o{fill:#1764ab}.w{fill:#d9480f}.k{fill:#b5b5b5}";

class Svg {
 public:
  __attribute__((format(printf, 2, 3))) void Add(const char* format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    svg_ += text;
    svg_ += '\n';
  }
  std::string Take() { return std::move(svg_); }

 private:
  std::string svg_;
};

std::string Escape(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

double At(double share) { return kLeft + (kRight - kLeft) * std::min(share, kFull) / kFull; }

bool HasPlace(const Row& row) { return row.result.ran && row.result.copy_share > 0; }

void AddRow(Svg& svg, const Row& row, int y) {
  const Result& r = row.result;
  const double ours = At(r.copy_share);
  svg.Add("<text class=\"r\" x=\"%d\" y=\"%d\">%s</text>", kLabel, y + 4, Escape(row.name).c_str());
  if (r.stock_ratio > 0) {
    const double stock = At(r.copy_share / r.stock_ratio);
    svg.Add("<line class=\"l\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", stock, y, ours, y);
    svg.Add("<circle class=\"k\" cx=\"%.1f\" cy=\"%d\" r=\"4\"/>", stock, y);
    svg.Add("<text class=\"r\" x=\"%d\" y=\"%d\">%.*f &#215;</text>", kRatio, y + 4,
            r.stock_ratio < 10 ? 2 : 0, r.stock_ratio);
  }
  const bool slower = r.stock_ratio > 0 && r.stock_ratio < 0.97;
  svg.Add(
      "<circle class=\"%s\" cx=\"%.1f\" cy=\"%d\" r=\"5\"><title>%s: %.3g &#181;s, %.0f %% of "
      "the copy</title></circle>",
      slower ? "w" : "o", ours, y, Escape(row.name).c_str(), 1e6 * r.seconds, 100 * r.copy_share);
  svg.Add("<text class=\"r\" x=\"%d\" y=\"%d\">%.1f</text>", kRate, y + 4,
          1e-9 * r.bytes / r.seconds);
}

}  // namespace

std::string PlotSvg(const std::string& title, const Rows& rows) {
  int height = kTop + kBottom;
  std::string group;
  for (const Row& row : rows) {
    if (!HasPlace(row)) continue;
    height += kRow + (row.group != group ? kHeading : 0);
    group = row.group;
  }
  Svg svg;
  svg.Add(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
      "viewBox=\"0 0 %d %d\">",
      kWidth, height, kWidth, height);
  svg.Add("<style>%s</style>", kStyle);
  svg.Add("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>", kWidth, height);
  svg.Add("<text class=\"t\" x=\"24\" y=\"34\">%s</text>", Escape(title).c_str());
  svg.Add("<text class=\"s\" x=\"24\" y=\"56\">%s</text>",
          Escape(ToString(Summarize(rows))).c_str());
  svg.Add(
      "<circle class=\"o\" cx=\"30\" cy=\"76\" r=\"5\"/><text x=\"42\" y=\"80\">dnnspec</text>"
      "<circle class=\"w\" cx=\"112\" cy=\"76\" r=\"5\"/><text x=\"124\" y=\"80\">dnnspec, slower"
      " than stock</text><circle class=\"k\" cx=\"300\" cy=\"76\" r=\"4\"/>"
      "<text x=\"312\" y=\"80\">stock oneDNN</text>");
  for (int percent = 0; percent <= 100; percent += 25) {
    const double x = At(percent / 100.0);
    svg.Add("<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
            percent == 100 ? "f" : "g", x, kTop - 6, x, height - kBottom);
    svg.Add("<text class=\"m\" x=\"%.1f\" y=\"%d\">%s</text>", x, kTop - 12,
            percent == 100 ? "copy" : (std::to_string(percent) + " %").c_str());
  }
  svg.Add("<text class=\"r s\" x=\"%d\" y=\"%d\">GB/s</text>", kRate, kTop - 12);
  svg.Add("<text class=\"r s\" x=\"%d\" y=\"%d\">vs stock</text>", kRatio, kTop - 12);
  int y = kTop;
  group.clear();
  for (const Row& row : rows) {
    if (!HasPlace(row)) continue;
    if (row.group != group) {
      svg.Add("<text class=\"h\" x=\"24\" y=\"%d\">%s</text>", y + kHeading - 8,
              Escape(row.group).c_str());
      y += kHeading;
      group = row.group;
    }
    AddRow(svg, row, y + kRow / 2);
    y += kRow;
  }
  svg.Add("</svg>");
  return svg.Take();
}

}  // namespace bench
