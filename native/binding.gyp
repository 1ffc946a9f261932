{
  "targets": [
    {
      "target_name": "etag",
      "sources": ["src/cpp/entity-tag.cc"],
      "include_dirs": [
        "<!(node -p \"require('path').relative('.', require('path').join(require.resolve('xxhash-addon/package.json'), '../xxHash'))\")"
      ],
      "defines": ["NAPI_VERSION=8"],
      "cflags!": ["-O2"],
      "cflags": ["-O3", "-fvisibility=hidden"],
      "cflags_cc!": ["-fexceptions"],
      "cflags_cc": ["-fno-exceptions"],
      "xcode_settings": {
        "GCC_ENABLE_CPP_EXCEPTIONS": "NO",
        "GCC_OPTIMIZATION_LEVEL": "3",
        "GCC_SYMBOLS_PRIVATE_EXTERN": "YES",
        "CLANG_CXX_LIBRARY": "libc++",
        "MACOSX_DEPLOYMENT_TARGET": "11.0"
      },
      "msvs_settings": {
        "VCCLCompilerTool": { "ExceptionHandling": 0, "Optimization": 2 }
      },
      "conditions": [
        [
          "target_arch=='x64' or target_arch=='ia32'",
          { "sources": ["src/cpp/xxh3-dispatch.c"] }
        ],
        ["OS=='linux'", { "ldflags": ["-Wl,--as-needed"] }],
        ["OS=='win'", { "defines": ["_HAS_EXCEPTIONS=0"] }]
      ]
    }
  ]
}
