"""Is an answer in the evidence, does a response agree, is it good enough to propose?"""
