// entityTag(body: Uint8Array | string, weak: boolean, oneByte?: boolean): string
//
// `oneByte` says that V8 holds the string with one byte per character; it is only a faster way
// in, and must be true only where v8.isStringOneByteRepresentation says so. XXH3-64 of the body's bytes as an entity tag (RFC 9110 section 8.8.3). The digest is written
// most significant byte first, in base64url: 11 characters.

#include <napi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#if defined(__x86_64__) || defined(_M_X64) || defined(__i386__) || defined(_M_IX86)
// Picks SSE2, AVX2 or AVX-512 once, when the addon is loaded.
#include "xxh_x86dispatch.h"
#else
#define XXH_INLINE_ALL
#include "xxhash.h"
#endif

namespace {

// Strings up to this many UTF-16 code units are encoded in memory that is kept for the next one:
// two bytes a unit for the string itself, three for its UTF-8. Longer strings get memory of their
// own for the length of the call.
constexpr size_t kKeptUnits = 128 * 1024;

struct Scratch {
  std::unique_ptr<char16_t[]> units;
  std::unique_ptr<uint8_t[]> bytes;

  bool Reserve(size_t length) {
    units.reset(new (std::nothrow) char16_t[length + 1]);
    bytes.reset(new (std::nothrow) uint8_t[3 * length + 1]);
    return units != nullptr && bytes != nullptr;
  }
};

constexpr char kBase64Url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

napi_value WriteTag(napi_env env, XXH64_hash_t digest, bool weak) {
  char text[15] = {'W', '/', '"'};
  for (int i = 0; i < 10; ++i) text[3 + i] = kBase64Url[(digest >> (58 - 6 * i)) & 63];
  text[13] = kBase64Url[(digest & 15) << 2];
  text[14] = '"';
  napi_value tag = nullptr;
  if (weak) {
    napi_create_string_latin1(env, text, 15, &tag);
  } else {
    napi_create_string_latin1(env, text + 2, 13, &tag);
  }
  return tag;
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

napi_value TagOfString(napi_env env, napi_value body, bool weak, bool one_byte, Scratch* kept) {
  size_t length = 0;
  napi_get_value_string_utf16(env, body, nullptr, 0, &length);
  Scratch own;
  Scratch* scratch = kept;
  bool reserved = true;
  if (length > kKeptUnits) {
    scratch = &own;
    reserved = own.Reserve(length);
  } else if (kept->bytes == nullptr) {
    reserved = kept->Reserve(kKeptUnits);
  }
  if (!reserved) {
    napi_throw_error(env, "ERR_ETAG_MEMORY", "No memory to encode the string.");
    return nullptr;
  }
  uint8_t* const bytes = scratch->bytes.get();
  if (one_byte) {
    char* const text = reinterpret_cast<char*>(scratch->units.get());
    napi_get_value_string_latin1(env, body, text, length + 1, &length);
    if (IsAscii(text, length)) return WriteTag(env, XXH3_64bits(text, length), weak);
    length = Encode(reinterpret_cast<const uint8_t*>(text), length, bytes);
  } else {
    char16_t* const units = scratch->units.get();
    napi_get_value_string_utf16(env, body, units, length + 1, &length);
    length = Encode(units, length, bytes);
  }
  return WriteTag(env, XXH3_64bits(bytes, length), weak);
}

Napi::Value EntityTag(const Napi::CallbackInfo& info) {
  napi_env env = info.Env();
  napi_value body = info[0];
  bool weak = false;
  bool one_byte = false;
  napi_get_value_bool(env, info[1], &weak);

  napi_typedarray_type type;
  size_t length = 0;
  void* data = nullptr;
  if (napi_get_typedarray_info(env, body, &type, &length, &data, nullptr, nullptr) == napi_ok &&
      type == napi_uint8_array) {
    return Napi::Value(env, WriteTag(env, XXH3_64bits(data, length), weak));
  }
  napi_valuetype kind;
  napi_typeof(env, body, &kind);
  if (kind == napi_string) {
    Scratch* scratch = static_cast<Scratch*>(info.Data());
    napi_get_value_bool(env, info[2], &one_byte);
    return Napi::Value(env, TagOfString(env, body, weak, one_byte, scratch));
  }
  napi_throw_type_error(env, "ERR_ETAG_BODY", "body must be a Uint8Array or a string.");
  return Napi::Value();
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  // One per environment: worker threads load the addon too.
  Scratch* scratch = new Scratch();
  env.SetInstanceData<Scratch>(scratch);
  exports.Set("entityTag", Napi::Function::New<EntityTag>(env, "entityTag", scratch));
  return exports;
}

}  // namespace

NODE_API_MODULE(NODE_GYP_MODULE_NAME, Init)
