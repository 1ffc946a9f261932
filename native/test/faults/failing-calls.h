// Included in front of the addon's source: lets one of its calls to Node-API fail, the n-th after
// the environment variable FAIL_CALL became n. Calls that throw are left alone: they fail only where
// JavaScript runs no more. The test compares this list with the calls in the source.
#pragma once
#ifdef __cplusplus
#include <node_api.h>

#include <cstdlib>

inline bool FailsNow() {
  static long number = 0, made = 0;
  const char* const value = std::getenv("FAIL_CALL");
  const long now = value == nullptr ? 0 : std::atol(value);
  if (now != number) number = now, made = 0;
  return ++made == number;
}

#define OR_FAIL(call) (FailsNow() ? napi_generic_failure : (call))
#define napi_create_function(...) OR_FAIL(napi_create_function(__VA_ARGS__))
#define napi_create_string_latin1(...) OR_FAIL(napi_create_string_latin1(__VA_ARGS__))
#define napi_get_cb_info(...) OR_FAIL(napi_get_cb_info(__VA_ARGS__))
#define napi_get_typedarray_info(...) OR_FAIL(napi_get_typedarray_info(__VA_ARGS__))
#define napi_get_value_bool(...) OR_FAIL(napi_get_value_bool(__VA_ARGS__))
#define napi_get_value_string_latin1(...) OR_FAIL(napi_get_value_string_latin1(__VA_ARGS__))
#define napi_get_value_string_utf16(...) OR_FAIL(napi_get_value_string_utf16(__VA_ARGS__))
#define napi_set_instance_data(...) OR_FAIL(napi_set_instance_data(__VA_ARGS__))
#define napi_set_named_property(...) OR_FAIL(napi_set_named_property(__VA_ARGS__))
#define napi_typeof(...) OR_FAIL(napi_typeof(__VA_ARGS__))
#endif
