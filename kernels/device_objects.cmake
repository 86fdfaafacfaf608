# The objects of detectors, made from the list: for every one that with its state in memory, and for
# those of LTE_OTHER_DETECTORS those of its faster kernels. A change of its file makes these anew.

# Orders that have kernels of their own, those that are 15 % faster so than with an order known at run
# time (tests/bench/orders.py on one H200, 16QAM): sweeps to bits and with LLRs, slots to bits and to
# LLRs; ANY_ORDER: none. Of a detector that stands not here: 2, 4 and 8.
set(orders_mrc "1,2,3,4,5,6,7,8" "1,2,3,4,5,6,7,8" "1,2,4,8" "1,2,4,8")
set(orders_cg "2,4,8" "2,4,8" "2" "2")
set(orders_neumann "2,4,8" "2,4,8" "2,8" "ANY_ORDER")
# Searching detectors whose sweeps have kernels of their own: whether of 8 layers, too, the search, its file
# in kernels/cuda/device/, and of which detectors of the row and links.
set(searches_ml true search_ml<1> search_ml "!(detector.value[LTE_ML_BUDGET] > 0.0)")
set(searches_kbest false search_looking_up<lte_kbest_detect_usual> searches
  "lte_kbest_is_usual(detector, link->n_tx, link->n_bits)")
set(searches_mmse_sic false search_alone<lte_mmse_sic_detect> searches true)
set(searches_fsd false search_alone<lte_fsd_detect> searches true)
set(searches_soft_ml false search_alone<lte_ml_search> searches
  "!(detector.value[LTE_ML_BUDGET] > 0.0) && lte_detector_demapper(detector, 0) == LTE_DEMAPPER_max_log")
set(searches_soft_kbest ${searches_kbest})
set(searches_soft_mmse_sic false search_with_estimates<lte_mmse_sic_detect> searches true)
# Those whose slots have: lanes of a resource element, subcarriers of a block, then as for sweeps.
set(slots_ml 4 8 search_ml<4> search_ml "!(detector.value[LTE_ML_BUDGET] > 0.0)")
set(slots_soft_ml 4 8 search_ml_llrs<4> search_ml_llrs
  "!(detector.value[LTE_ML_BUDGET] > 0.0) && lte_detector_demapper(detector, 0) == LTE_DEMAPPER_max_log")
set(slots_fsd 4 16 search_fsd<4> search_fsd true)
set(slots_mmse_sic 1 16 search_alone<lte_mmse_sic_detect> searches true)
set(slots_soft_mmse_sic 1 16 search_with_estimates<lte_mmse_sic_detect> searches true)
set(slots_kbest 1 16 search_looking_up<lte_kbest_detect_usual> searches
  "lte_kbest_is_usual(detector, link->n_tx, link->n_bits)")
set(slots_soft_kbest ${slots_kbest})
set(list ${CMAKE_SOURCE_DIR}/phy/detection/detectors.h)
set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
file(GLOB recipes CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/cuda/large/large_*.cuh)
set(detector_sources "")
# lte_detector_source(NAME LINE ...): a source of these lines.
function(lte_detector_source name)
  list(JOIN ARGN "\n" text)
  set(source ${CMAKE_BINARY_DIR}/detectors/${name}_cuda.cu)
  file(CONFIGURE OUTPUT ${source} CONTENT "/* Made by kernels/device_objects.cmake. */\n${text}\n" @ONLY)
  set(detector_sources ${detector_sources} ${source} PARENT_SCOPE)
endfunction()
foreach(family SOLVING OTHER SEARCHING)
  file(STRINGS ${list} ids REGEX "^#define LTE_${family}_DETECTORS.X. X")
  string(REGEX MATCHALL "X.[a-z0-9_]+[)]" ids "${ids}")
  foreach(id ${ids})
    string(REGEX REPLACE "X.([a-z0-9_]+)." "\\1" id "${id}")
    set(own "#include \"phy/detection/${id}.h\"")
    set(more "")
    if(family STREQUAL SOLVING) # their texts are those of the family
      set(own "")
    elseif(family STREQUAL OTHER)
      set(orders "2,4,8" "2,4,8" "2,4,8" "2,4,8")
      if(orders_${id})
        set(orders ${orders_${id}})
      endif()
      list(GET orders 0 sweep)
      list(GET orders 1 sweep_soft)
      list(GET orders 2 slot)
      list(GET orders 3 slot_soft)
      lte_detector_source(${id}_sweep ${own} "#include \"kernels/cuda/sweep/sweep_other.cuh\""
        "LTE_GENERAL_DETECTOR(${id})" "LTE_SWEEP_DETECTOR(${id}, ${sweep})"
        "LTE_SWEEP_SOFT_DETECTOR(${id}, ${sweep_soft})")
      lte_detector_source(${id}_slot ${own} "#include \"kernels/cuda/slot/slot_throughput_other.cuh\""
        "LTE_GENERAL_DETECTOR(${id})" "LTE_SLOT_DETECTOR(${id}, ${slot})"
        "LTE_SLOT_SOFT_DETECTOR(${id}, ${slot_soft})")
      set(recipe kernels/cuda/large/large_${id}.cuh)
      set(more "#include \"kernels/cuda/stages/detect_stage.cuh\"" "LTE_GENERAL_DETECTOR(${id})"
        "LTE_STAGE_DETECTOR(${id})")
      if(${CMAKE_SOURCE_DIR}/${recipe} IN_LIST recipes)
        list(APPEND more "#include \"${recipe}\"")
      else()
        list(APPEND more "#include \"kernels/cuda/large/large_decide.cuh\"" "LTE_LARGE_WITHOUT_RECIPE(${id})")
      endif()
    endif()
    if(family STREQUAL SEARCHING)
      foreach(soft "" soft_)
        set(out bits_alone)
        if(soft)
          set(out with_llrs)
        endif()
        set(sweeps ${searches_${soft}${id}})
        if(sweeps)
          list(POP_FRONT sweeps large search file takes)
          lte_detector_source(${id}_${soft}sweep "#include \"kernels/cuda/device/${file}.cuh\"" ${own}
            "#include \"kernels/cuda/sweep/sweep_searching.cuh\""
            "LTE_SWEEP_SEARCHING(${id}, lte_sweep_${soft}, ${out}, ${large}, ${search}, ${takes})")
        else()
          list(APPEND more "#include \"kernels/cuda/sweep/sweep_kernels.cuh\""
            "LTE_SWEEP_WITHOUT_KERNEL(${id}, lte_sweep_${soft})")
        endif()
        set(slots ${slots_${soft}${id}})
        if(slots)
          list(POP_FRONT slots lanes subcarriers search file takes)
          lte_detector_source(${id}_${soft}slot "#include \"kernels/cuda/device/${file}.cuh\"" ${own}
            "#include \"kernels/cuda/slot/slot_searching.cuh\""
            "LTE_SLOT_SEARCHING(${id}, lte_slot_${soft}, slot_${out}, ${lanes}, ${subcarriers}, ${search}, ${takes})")
        else()
          list(APPEND more "#include \"kernels/cuda/slot/slot_searching_launch.h\""
            "LTE_SLOT_WITHOUT_KERNEL(${id}, lte_slot_${soft})")
        endif()
      endforeach()
    endif()
    lte_detector_source(${id} ${own} "#include \"kernels/cuda/detectors/detector_thread.cuh\""
      "LTE_DEVICE_${family}(${id})" ${more})
  endforeach()
endforeach()
