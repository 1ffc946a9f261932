// entityTag(body: Uint8Array | string, weak: boolean, oneByte?: boolean): string
//
// XXH3-64 of the body's bytes as an entity tag (RFC 9110 section 8.8.3). The digest is written most
// significant byte first, in base64url: 11 characters. `oneByte` says that V8 holds the string with
// one byte per character; it is only a faster way in, and must be true only where
// v8.isStringOneByteRepresentation says so.
//
// No failure ends the process: memory comes from malloc, each call of Node-API is checked, and what
// fails is thrown as a JavaScript error, ERR_ETAG_MEMORY or ERR_ETAG_NODE_API. So the functions here
// are those of node_api.h: the classes of node-addon-api abort where an error cannot be made.
//
// Nothing here is of the C++ library: the addon then needs the C library alone, which is glibc or musl.

#include <node_api.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__x86_64__) || defined(_M_X64) || defined(__i386__) || defined(_M_IX86)
// Picks SSE2, AVX2 or AVX-512 once, when the addon is loaded.
#include "xxh_x86dispatch.h"
#else
#define XXH_INLINE_ALL
#include "xxhash.h"
#endif

namespace {

// Strings up to this many UTF-16 code units are encoded in memory that is kept for the next one.
// Longer strings get memory of their own for the length of the call.
constexpr size_t kKeptUnits = 128 * 1024;

// One block for both forms of a string: two bytes a unit and a terminating zero, then three bytes a
// unit for its UTF-8. V8's longest string has fewer than 2^30 units; 32-bit V8 stops at 2^28.
constexpr size_t UnitsSize(size_t length) { return 2 * (length + 1); }
constexpr size_t BlockSize(size_t length) { return UnitsSize(length) + 3 * length; }

// Memory that is freed at the end of its scope, unless it is released.
class Block {
 public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() { free(memory_); }

  // nullptr where there is no memory. Called once.
  void* Allocate(size_t size) { return memory_ = malloc(size); }
  void Release() { memory_ = nullptr; }

 private:
  void* memory_ = nullptr;
};

// Throwing fails only where JavaScript runs no more, as in a worker thread that is being ended: the
// value that is returned then is not used. An exception that is already pending is the one to see.
napi_value ThrowNoMemory(napi_env env) {
  napi_throw_error(env, "ERR_ETAG_MEMORY", "No memory to encode the string.");
  return nullptr;
}

napi_value ThrowFailed(napi_env env) {
  napi_throw_error(env, "ERR_ETAG_NODE_API", "A call of Node-API failed.");
  return nullptr;
}

constexpr char kBase64Url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

napi_value WriteTag(napi_env env, XXH64_hash_t digest, bool weak) {
  char text[15] = {'W', '/', '"'};
  for (int i = 0; i < 10; ++i) text[3 + i] = kBase64Url[(digest >> (58 - 6 * i)) & 63];
  text[13] = kBase64Url[(digest & 15) << 2];
  text[14] = '"';
  napi_value tag = nullptr;
  const napi_status status = weak ? napi_create_string_latin1(env, text, 15, &tag)
                                  : napi_create_string_latin1(env, text + 2, 13, &tag);
  return status == napi_ok ? tag : ThrowFailed(env);
}

// UTF-16 or Latin-1 to UTF-8, a lone surrogate becoming U+FFFD as in Buffer.from(string). Pages are mostly
// ASCII, so whole blocks of it are narrowed by loops that compilers turn into vector code. V8's own
// writer takes ten times as long as soon as one character of the string is not ASCII.
template <typename Unit>
size_t Encode(const Unit* in, size_t length, uint8_t* out) {
  constexpr size_t kBlock = 32;
  const uint8_t* const begin = out;
  size_t i = 0;
  while (i < length) {
    while (length - i >= kBlock) {
      Unit seen = 0;
      for (size_t j = 0; j < kBlock; ++j) seen |= in[i + j];
      if (seen > 0x7f) break;
      for (size_t j = 0; j < kBlock; ++j) out[j] = static_cast<uint8_t>(in[i + j]);
      i += kBlock;
      out += kBlock;
    }
    for (const size_t stop = length - i < kBlock ? length : i + kBlock; i < stop; ++i) {
      uint32_t c = in[i];
      if (c < 0x80) {
        *out++ = static_cast<uint8_t>(c);
        continue;
      }
      if (c < 0x800) {
        *out++ = static_cast<uint8_t>(0xc0 | c >> 6);
        *out++ = static_cast<uint8_t>(0x80 | (c & 63));
        continue;
      }
      if ((c & 0xf800) == 0xd800) {
        if (c < 0xdc00 && i + 1 < length && (in[i + 1] & 0xfc00) == 0xdc00) {
          c = 0x10000 + ((c & 0x3ff) << 10 | (in[++i] & 0x3ff));
          *out++ = static_cast<uint8_t>(0xf0 | c >> 18);
          *out++ = static_cast<uint8_t>(0x80 | (c >> 12 & 63));
          *out++ = static_cast<uint8_t>(0x80 | (c >> 6 & 63));
          *out++ = static_cast<uint8_t>(0x80 | (c & 63));
          continue;
        }
        c = 0xfffd;
      }
      *out++ = static_cast<uint8_t>(0xe0 | c >> 12);
      *out++ = static_cast<uint8_t>(0x80 | (c >> 6 & 63));
      *out++ = static_cast<uint8_t>(0x80 | (c & 63));
    }
  }
  return static_cast<size_t>(out - begin);
}

bool IsAscii(const char* text, size_t length) {
  unsigned char seen = 0;
  for (size_t i = 0; i < length; ++i) seen |= static_cast<unsigned char>(text[i]);
  return seen < 0x80;
}

napi_value TagOfString(napi_env env, napi_value body, bool weak, bool one_byte, void* kept) {
  size_t length = 0;
  if (napi_get_value_string_utf16(env, body, nullptr, 0, &length) != napi_ok) {
    return ThrowFailed(env);
  }
  Block own;
  void* block = kept;
  if (length > kKeptUnits) {
    block = own.Allocate(BlockSize(length));
    if (block == nullptr) return ThrowNoMemory(env);
  }
  uint8_t* const bytes = static_cast<uint8_t*>(block) + UnitsSize(length);
  if (one_byte) {
    char* const text = static_cast<char*>(block);
    if (napi_get_value_string_latin1(env, body, text, length + 1, &length) != napi_ok) {
      return ThrowFailed(env);
    }
    if (IsAscii(text, length)) return WriteTag(env, XXH3_64bits(text, length), weak);
    length = Encode(reinterpret_cast<const uint8_t*>(text), length, bytes);
  } else {
    char16_t* const units = static_cast<char16_t*>(block);
    if (napi_get_value_string_utf16(env, body, units, length + 1, &length) != napi_ok) {
      return ThrowFailed(env);
    }
    length = Encode(units, length, bytes);
  }
  return WriteTag(env, XXH3_64bits(bytes, length), weak);
}

// False for what is not a boolean: an argument that was left out.
bool ReadFlag(napi_env env, napi_value value, bool* flag) {
  const napi_status status = napi_get_value_bool(env, value, flag);
  if (status == napi_boolean_expected) *flag = false;
  return status == napi_ok || status == napi_boolean_expected;
}

napi_value EntityTag(napi_env env, napi_callback_info info) {
  size_t count = 3;
  napi_value arguments[3];
  void* kept = nullptr;
  bool weak = false;
  if (napi_get_cb_info(env, info, &count, arguments, nullptr, &kept) != napi_ok ||
      !ReadFlag(env, arguments[1], &weak)) {
    return ThrowFailed(env);
  }
  const napi_value body = arguments[0];

  // Node-API leaves the type alone for arrays of a kind that it does not know.
  napi_typedarray_type type = napi_int8_array;
  size_t length = 0;
  void* data = nullptr;
  const napi_status status =
      napi_get_typedarray_info(env, body, &type, &length, &data, nullptr, nullptr);
  if (status == napi_ok && type == napi_uint8_array) {
    return WriteTag(env, XXH3_64bits(data, length), weak);
  }
  // napi_invalid_arg: no typed array.
  if (status != napi_ok && status != napi_invalid_arg) return ThrowFailed(env);

  napi_valuetype kind = napi_undefined;
  if (napi_typeof(env, body, &kind) != napi_ok) return ThrowFailed(env);
  if (kind == napi_string) {
    bool one_byte = false;
    if (!ReadFlag(env, arguments[2], &one_byte)) return ThrowFailed(env);
    return TagOfString(env, body, weak, one_byte, kept);
  }
  napi_throw_type_error(env, "ERR_ETAG_BODY", "body must be a Uint8Array or a string.");
  return nullptr;
}

void FreeKept(napi_env, void* block, void*) { free(block); }

napi_value Init(napi_env env, napi_value exports) {
  // One per environment: worker threads load the addon too.
  Block kept;
  void* const block = kept.Allocate(BlockSize(kKeptUnits));
  if (block == nullptr) {
    ThrowNoMemory(env);
    return exports;
  }
  if (napi_set_instance_data(env, block, FreeKept, nullptr) != napi_ok) {
    ThrowFailed(env);
    return exports;
  }
  kept.Release();
  napi_value function = nullptr;
  if (napi_create_function(env, "entityTag", NAPI_AUTO_LENGTH, EntityTag, block, &function) !=
          napi_ok ||
      napi_set_named_property(env, exports, "entityTag", function) != napi_ok) {
    ThrowFailed(env);
  }
  return exports;
}

}  // namespace

NAPI_MODULE_INIT() { return Init(env, exports); }
