#ifndef LTE_SIM_REPORT_HTML_ASSETS_H
#define LTE_SIM_REPORT_HTML_ASSETS_H
/* html_page.css and html_page.js, put into the program by CMake: strings, each with its zero. */

extern const unsigned char lte_html_style[], lte_html_script[];

#endif
